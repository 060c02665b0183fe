package tracer.lane;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import tracer.DropReason;
import tracer.Lane;
import tracer.ring.RecordFormat;
import tracer.ring.Ring;

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
  private final Supply supply;
  private final RingPool pool;
  private final int writers;
  private final long[] cells;
  private final int cell;

  private long[] words = NO_RING;

  @SuppressWarnings("UnusedVariable") // read through its handle
  private int limit;

  private boolean overwriting;
  private String threadName = "";
  private @Nullable Ring ring;
  private int @Nullable [] scratch;

  Writer(int index, Lane lane, Supply supply, Recorded recorded, int writers) {
    this.index = index;
    this.lane = lane;
    this.supply = supply;
    this.pool = supply.pool();
    this.writers = writers;
    this.cells = recorded.cells();
    this.cell = Recorded.cell(index);
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

  /** Records an event with two values. */
  public void two(long header, long time, long a, long b) {
    long[] into = words;
    long tail = Ring.tail(into);
    int at = (int) tail;
    if (at + RecordFormat.VALUE_WORDS > (int) LIMIT.getOpaque(this)) {
      theLongWay(header, time, a, b, 0);
      return;
    }
    into[at] = header;
    into[at + 1] = time;
    into[at + 2] = a;
    into[at + 3] = b;
    publish(into, tail, Ring.VALUE_STEP);
  }

  /** Records an event with three values. */
  public void three(long header, long time, long a, long b, long c) {
    long[] into = words;
    long tail = Ring.tail(into);
    int at = (int) tail;
    if (at + RecordFormat.VALUE_WORDS > (int) LIMIT.getOpaque(this)) {
      theLongWay(header, time, a, b, c);
      return;
    }
    into[at] = header;
    into[at + 1] = time;
    into[at + 2] = a;
    into[at + 3] = b;
    into[at + 4] = c;
    publish(into, tail, Ring.VALUE_STEP);
  }

  /** Counts the record that was stored behind the tail, and shows it to others. */
  private void publish(long[] into, long tail, long step) {
    long before = cells[cell];
    try {
      Recorded.count(cells, cell);
      Ring.publish(into, tail + step);
    } catch (StackOverflowError e) { // so whatever is done here must do without a call
      if (into[Ring.TAIL] == tail) {
        cells[cell] = before;
      }
      throw e;
    }
  }

  private void theLongWay(long header, long time, long a, long b, long c) {
    long tail = makeRoom(RecordFormat.VALUE_WORDS, time);
    if (tail == NONE) {
      refuse(time);
      return;
    }
    int at = (int) tail;
    words[at] = header;
    words[at + 1] = time;
    words[at + 2] = a;
    words[at + 3] = b;
    words[at + 4] = c;
    publish(words, tail, Ring.VALUE_STEP);
    endOverwriting();
  }

  /**
   * Records an event with bytes.
   *
   * @return false if there was no room and the lane is {@link Lane#CRITICAL}: it is not counted
   *     then; in other lanes it is counted as dropped
   */
  public boolean bytes(long header, long time, byte[] bytes, int from, int length) {
    long recordWords = RecordFormat.wordsFor(length);
    long tail = Ring.tail(words);
    if ((int) tail + recordWords > (int) LIMIT.getOpaque(this)) {
      tail = makeRoom(recordWords, time);
      if (tail == NONE) {
        return lane != Lane.CRITICAL && refuse(time);
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
    Recorded.count(cells, cell);
  }

  /** The event itself is dropped: nothing older could be. */
  private boolean refuse(long time) {
    Recorded.count(cells, cell);
    supply.dropped(lane, 1, time, time, time);
    return true;
  }

  /** Finds room for a record; gives the tail to store it at, or NONE. */
  private long makeRoom(long recordWords, long time) {
    StackRoom.require();
    if (supply.isClosed() || recordWords > pool.sizing().ringWords()) {
      return NONE;
    }
    Ring current = ring;
    boolean owned = current != null && pool.own(current, this, false);
    int room = current != null && owned ? current.freeRoom((int) recordWords) : 0;
    if (current != null && room > 0) { // the drain has copied from it
      return appendTo(current, room);
    }
    Ring next = supply.next(this, current, time);
    if (next != null) {
      use(next);
      if (current != null) {
        supply.seal(current, this, time);
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
    next.belongsTo(threadName);
    LIMIT.setOpaque(this, 0);
    ring = next;
    words = next.words();
  }

  private long appendTo(Ring current, int end) {
    pool.activate(current, this);
    // Volatile on both sides: either this sees the tracer closed, or closing comes after this.
    LIMIT.setVolatile(this, end);
    if (supply.isClosed()) {
      LIMIT.setVolatile(this, 0);
    }
    return Ring.tail(words);
  }

  /** Drops the oldest events of the ring in use; it stays owned until the record is stored. */
  private long overwrite(Ring current, int recordWords, long time) {
    long tail = current.makeRoom(recordWords);
    if (current.dropped() > 0) {
      supply.dropped(lane, current.dropped(), current.droppedFrom(), current.droppedTo(), time);
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
  void belongsTo(String name) {
    this.threadName = name;
  }

  /**
   * Gives up its ring; only when its thread has ended, or under its lock.
   *
   * @return the ring, taken for the drain; null if it had none
   */
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
    return pool.hasSealed(this);
  }

  /** The reason for which an event would be dropped that finds no way at all. */
  public DropReason lastReason(long time) {
    return supply.reason(lane, DropReason.RING_FULL, time);
  }
}
