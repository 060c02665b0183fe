package tracer.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import tracer.DropReason;
import tracer.Lane;
import tracer.lane.Drops.Dropped;
import tracer.ring.RecordFormat;
import tracer.ring.Ring;
import tracer.ring.RingOrigin;

/**
 * Records events of one lane into rings, for one thread; or for many that take turns under a lock.
 */
public final class Writer {
  /*
   * The way of an event that finds room: one comparison, the stores of its words, one store of a
   * counter, and the ordered store of the tail. There is no compare-and-set and no fence.
   *
   * A limit of zero sends every event the long way: when there is no ring, when the ring goes round,
   * and when the tracer is closed; for the latter alone another thread writes it.
   */
  private static final long[] NO_RING = new long[Ring.START];
  private static final long NONE = -1;
  private static final int ONE_WORDS = RecordFormat.VALUES_HEAD + 1;
  private static final int FOUR_WORDS = RecordFormat.VALUES_HEAD + 4;
  private static final long NONE_STEP = Ring.step(RecordFormat.LEAST_WORDS);
  private static final long ONE_STEP = Ring.step(ONE_WORDS);
  private static final long FOUR_STEP = Ring.step(FOUR_WORDS);
  private static final VarHandle LIMIT;

  static {
    try {
      LIMIT = MethodHandles.lookup().findVarHandle(Writer.class, "limit", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int index;
  private final Lane lane;
  private final RingAllocator allocator;
  private final RingPool pool;
  private final int writers;
  private final int mostBytes;
  private final long[] cells;
  private final int cell;

  private long[] words = NO_RING;

  @SuppressWarnings("UnusedVariable") // read through its handle
  private int limit;

  private boolean overwriting;
  private RingOrigin origin;
  private @Nullable Ring ring;
  private int @Nullable [] scratch;

  Writer(int index, Lane lane, RingAllocator allocator, RecordedCounters recorded, int writers) {
    this.index = index;
    this.lane = lane;
    this.allocator = allocator;
    this.pool = allocator.pool();
    this.writers = writers;
    this.mostBytes = lane == Lane.DETAIL ? pool.sizing().largestDetail() : Integer.MAX_VALUE;
    this.origin = new RingOrigin(index, 0, "");
    this.cells = recorded.cells();
    this.cell = RecordedCounters.cell(index);
  }

  int index() {
    return index;
  }

  Lane lane() {
    return lane;
  }

  /** Memory to count the rings of all writers in; few writers ever need it. */
  int[] scratch() {
    if (scratch == null) {
      scratch = new int[writers];
    }
    return scratch;
  }

  long state(int status) {
    return RingState.of(status, lane, index, 0);
  }

  long sealed(long sealing) {
    return RingState.of(RingState.SEALED, lane, index, sealing);
  }

  /** Records an event with no numbers. */
  public void none(long header, long time) {
    long[] into = words;
    long tail = Ring.tail(into);
    int at = (int) tail;
    if (at + RecordFormat.LEAST_WORDS > (int) LIMIT.getOpaque(this)) {
      theLongWay(header, time, 0, 0, 0, 0, 0, 0);
      return;
    }
    into[at] = header;
    into[at + 1] = time;
    publish(into, tail, NONE_STEP);
  }

  /** Records an event with one number. */
  public void one(long header, long time, long a) {
    long[] into = words;
    long tail = Ring.tail(into);
    int at = (int) tail;
    if (at + ONE_WORDS > (int) LIMIT.getOpaque(this)) {
      theLongWay(header, time, 1, a, 0, 0, 0, 0);
      return;
    }
    into[at] = header;
    into[at + 1] = time;
    into[at + 2] = a;
    publish(into, tail, ONE_STEP);
  }

  /** Records an event with two numbers, with room for a third. */
  public void two(long header, long time, long a, long b) {
    long[] into = words;
    long tail = Ring.tail(into);
    int at = (int) tail;
    if (at + RecordFormat.VALUE_WORDS > (int) LIMIT.getOpaque(this)) {
      theLongWay(header, time, 2, a, b, 0, 0, 0);
      return;
    }
    into[at] = header;
    into[at + 1] = time;
    into[at + 2] = a;
    into[at + 3] = b;
    publish(into, tail, Ring.VALUE_STEP);
  }

  /** Records an event with three numbers. */
  public void three(long header, long time, long a, long b, long c) {
    long[] into = words;
    long tail = Ring.tail(into);
    int at = (int) tail;
    if (at + RecordFormat.VALUE_WORDS > (int) LIMIT.getOpaque(this)) {
      theLongWay(header, time, 3, a, b, c, 0, 0);
      return;
    }
    into[at] = header;
    into[at + 1] = time;
    into[at + 2] = a;
    into[at + 3] = b;
    into[at + 4] = c;
    publish(into, tail, Ring.VALUE_STEP);
  }

  /** Records an event with four numbers. */
  public void four(long header, long time, long a, long b, long c, long d) {
    long[] into = words;
    long tail = Ring.tail(into);
    int at = (int) tail;
    if (at + FOUR_WORDS > (int) LIMIT.getOpaque(this)) {
      theLongWay(header, time, 4, a, b, c, d, 0);
      return;
    }
    into[at] = header;
    into[at + 1] = time;
    into[at + 2] = a;
    into[at + 3] = b;
    into[at + 4] = c;
    into[at + 5] = d;
    publish(into, tail, FOUR_STEP);
  }

  /** Records an event with as many of the numbers as are said, and as its header says. */
  public void numbers(long header, long time, int count, long a, long b, long c, long d, long e) {
    long tail = Ring.tail(words);
    int recordWords = RecordFormat.wordsForNumbers(count);
    if ((int) tail + recordWords > (int) LIMIT.getOpaque(this)) {
      theLongWay(header, time, count, a, b, c, d, e);
      return;
    }
    store((int) tail, header, time, count, a, b, c, d, e);
    publish(words, tail, Ring.step(recordWords));
  }

  /** Counts the record that was stored behind the tail, and shows it to others. */
  private void publish(long[] into, long tail, long step) {
    long before = cells[cell];
    try {
      RecordedCounters.count(cells, cell);
      Ring.publish(into, tail + step);
    } catch (StackOverflowError e) { // so whatever is done here must do without a call
      if (into[Ring.TAIL] == tail) {
        cells[cell] = before;
      }
      throw e;
    }
  }

  private void theLongWay(
      long header, long time, int count, long a, long b, long c, long d, long e) {
    int recordWords = RecordFormat.wordsForNumbers(count);
    long tail = makeRoom(recordWords, time);
    if (tail == NONE) {
      drop(time);
      return;
    }
    store((int) tail, header, time, count, a, b, c, d, e);
    publish(words, tail, Ring.step(recordWords));
    endOverwriting();
  }

  private void store(
      int at, long header, long time, int count, long a, long b, long c, long d, long e) {
    long[] into = words;
    into[at] = header;
    into[at + 1] = time;
    if (count > 0) {
      into[at + 2] = a;
    }
    if (count > 1) {
      into[at + 3] = b;
    }
    if (count > 2) {
      into[at + 4] = c;
    }
    if (count > 3) {
      into[at + 5] = d;
    }
    if (count > 4) {
      into[at + 6] = e;
    }
  }

  /**
   * Records an event with bytes.
   *
   * @return false if there was no room and the lane is {@link Lane#CRITICAL}: it is not counted
   *     then; in other lanes it is counted as dropped
   */
  public boolean bytes(long header, long time, byte[] bytes, int from, int length) {
    if (length > mostBytes) {
      countElsewhere();
      allocator.tooLarge(lane, new Dropped(origin, 1, time, time, recorded()));
      return true;
    }
    long recordWords = RecordFormat.wordsFor(length);
    long tail = Ring.tail(words);
    if ((int) tail + recordWords > (int) LIMIT.getOpaque(this)) {
      tail = makeRoom(recordWords, time);
      if (tail == NONE) {
        return lane != Lane.CRITICAL && drop(time);
      }
    }
    int at = (int) tail;
    words[at] = header;
    words[at + 1] = time;
    words[at + 2] = length;
    RecordFormat.storeBytes(words, at + RecordFormat.BYTES_HEAD, bytes, from, length);
    publish(words, tail, Ring.step((int) recordWords));
    endOverwriting();
    return true;
  }

  /** Counts an event that is recorded elsewhere. */
  public void countElsewhere() {
    RecordedCounters.count(cells, cell);
  }

  /** Counts an event as dropped itself: nothing older could be. Always true. */
  boolean drop(long time) {
    RecordedCounters.count(cells, cell);
    allocator.dropped(lane, new Dropped(origin, 1, time, time, recorded()), time);
    return true;
  }

  /** Finds room for a record; gives the tail to store it at, or NONE. */
  private long makeRoom(long recordWords, long time) {
    StackHeadroom.require();
    if (allocator.isClosed() || recordWords > pool.sizing().ringWords()) {
      return NONE;
    }
    Ring current = ring;
    boolean owned = current != null && pool.own(current, this, false);
    int room = current != null && owned ? current.freeRoom((int) recordWords) : 0;
    if (current != null && room > 0) { // the drain has copied from it
      return appendTo(current, room);
    }
    Ring next = allocator.next(this, current, time);
    if (next != null) {
      use(next);
      if (current != null) {
        allocator.seal(current, this, time);
      }
      return appendTo(next, words.length);
    }
    if (current == null) {
      return NONE;
    }
    if (lane == Lane.CRITICAL) { // never overwritten
      if (owned) {
        pool.activate(current, this);
      }
      return NONE;
    }
    return owned || pool.own(current, this, true)
        ? overwrite(current, (int) recordWords, time)
        : NONE;
  }

  /**
   * Makes a ring the one in use, before the one before it is sealed: an error while that is done
   * must not leave this writer with a ring that is no longer its own.
   */
  private void use(Ring next) {
    next.reset();
    next.belongsTo(origin);
    LIMIT.setOpaque(this, 0);
    ring = next;
    words = next.words();
  }

  private long appendTo(Ring current, int end) {
    pool.activate(current, this);
    // Volatile on both sides: either this sees the tracer closed, or closing comes after this.
    LIMIT.setVolatile(this, end);
    if (allocator.isClosed()) {
      LIMIT.setVolatile(this, 0);
    }
    return Ring.tail(words);
  }

  /** Drops the oldest events of the ring in use; it stays owned until the record is stored. */
  private long overwrite(Ring current, int recordWords, long time) {
    long tail = current.makeRoom(recordWords);
    if (current.dropped() > 0) {
      Dropped dropped =
          new Dropped(
              origin,
              current.dropped(),
              current.droppedFrom(),
              current.droppedTo(),
              recorded() - current.events());
      allocator.overwritten(lane, dropped, time);
    }
    overwriting = true;
    LIMIT.setOpaque(this, 0);
    return tail;
  }

  private void endOverwriting() {
    Ring current = ring;
    if (overwriting && current != null) {
      overwriting = false;
      pool.activate(current, this);
    }
  }

  /** Has the next event see that the tracer is closed. For any thread. */
  void close() {
    LIMIT.setVolatile(this, 0);
  }

  /** Begins to record for a thread. */
  void belongsTo(long thread, String name) {
    this.origin = new RingOrigin(index, thread, name);
  }

  /** How many events it has recorded; for its own thread. */
  long recorded() {
    return cells[cell];
  }

  /** Gives up its ring for the drain, if it has one; its thread has ended, or has its lock. */
  RingPool.@Nullable Taken giveUp() {
    Ring last = ring;
    ring = null;
    words = NO_RING;
    LIMIT.setOpaque(this, 0);
    overwriting = false;
    return last == null ? null : pool.takeFromDead(last, this);
  }

  boolean hasRing() {
    return ring != null;
  }

  /** Whether sealed rings of its own wait for the drain. */
  boolean hasSealed() {
    return pool.hasSealed(lane, index);
  }

  /** The reason for which an event would be dropped that finds no way at all. */
  public DropReason lastReason(long time) {
    return allocator.reason(lane, DropReason.RING_FULL, time);
  }
}
