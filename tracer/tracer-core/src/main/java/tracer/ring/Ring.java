package tracer.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongFunction;
import tracer.Lane;

/**
 * A block of memory for records: appended at the tail, read at the head, the oldest overwritten
 * only when its owner says so. All rings of a tracer are equal, so that lanes can lend them.
 */
public final class Ring {
  /*
   * Words 0 and 1 are the tail and the head; the records begin a cache line later. Both marks hold a
   * position in the lower half and a count of events in the upper half, so that one store publishes
   * a record and one load says how many there are. The ring is empty when the counts are equal. Counts
   * only grow, and what is emptied gets the head before the tail: so the difference that another
   * thread sees is how many there were at some moment while it looked.
   *
   * Who may do what follows from the state of the ring, which is kept elsewhere (RingPool):
   * - the writer appends behind the tail and stores the tail with release; it never touches words
   *   between head and tail while others may look;
   * - whoever copies reads the tail with acquire, reads only what lies between the marks, and moves
   *   the head; the writer does not read the head meanwhile;
   * - the owner, when nobody else may look, does both and overwrites.
   *
   * Overwriting makes the content go round: from the head to the end, then from the start to the
   * tail. A record never lies across the end; if it does not fit there, a word that says SKIP stands
   * in its place.
   */
  /** Which word is the tail. */
  public static final int TAIL = 0;

  /** Where the first record of an empty ring goes. */
  public static final int START = 16;

  /** What one record with values adds to the tail. */
  public static final long VALUE_STEP = step(RecordFormat.VALUE_WORDS);

  private static final int HEAD = 1;
  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final int index;
  private final Lane home;
  private final long[] words;
  private RingOrigin origin = RingOrigin.SHARED;
  private long sealedAt;
  private long end;
  private int dropped;
  private long droppedFrom;
  private long droppedTo;

  /**
   * An empty ring.
   *
   * @param index its number in the pool
   * @param home the lane it belongs to when nobody has borrowed it
   * @param dataWords the words for records
   */
  public Ring(int index, Lane home, int dataWords) {
    this.index = index;
    this.home = home;
    this.words = new long[START + dataWords];
    reset();
  }

  /** Its number in the pool. */
  public int index() {
    return index;
  }

  /** The lane it belongs to when nobody has borrowed it. */
  public Lane home() {
    return home;
  }

  /** The memory itself, for its writer. */
  public long[] words() {
    return words;
  }

  /** The tail as its writer sees it. */
  public static long tail(long[] words) {
    return words[TAIL];
  }

  /** Moves the tail; what was stored before is seen by whoever sees the new tail. */
  public static void publish(long[] words, long tail) {
    WORDS.setRelease(words, TAIL, tail);
  }

  /** What a record of so many words adds to the tail. */
  public static long step(int recordWords) {
    return 1L << 32 | recordWords;
  }

  /**
   * How many events it has. Exact for the owner; others see how many there were while they look.
   */
  public int events() {
    long head = (long) WORDS.getOpaque(words, HEAD);
    return count((long) WORDS.getAcquire(words, TAIL)) - count(head);
  }

  /** Empties it. For the owner. */
  public void reset() {
    long empty = mark(count(words[TAIL]), START);
    WORDS.setOpaque(words, HEAD, empty);
    WORDS.setRelease(words, TAIL, empty);
  }

  /** Notes whose events it will have. For the owner. */
  public void belongsTo(RingOrigin origin) {
    this.origin = origin;
    this.end = -1;
  }

  /** Whose events it has. For whoever may read it. */
  public RingOrigin origin() {
    return origin;
  }

  /**
   * Notes what is known of its last event. For the owner.
   *
   * @param time a time when it had been recorded
   * @param end how many events the writer had recorded with it
   */
  public void sealedAt(long time, long end) {
    this.sealedAt = time;
    this.end = end;
  }

  /** How many events the writer had recorded with its last; less than zero if it is not sealed. */
  public long end() {
    return end;
  }

  /** A time when its last event had been recorded. For whoever took it sealed. */
  public long sealedAt() {
    return sealedAt;
  }

  /** When its oldest event was recorded. For the owner; only if there is one. */
  public long oldestTime() {
    return words[firstRecord(position(words[HEAD])) + 1];
  }

  /** When its newest event was recorded. For whoever may read it; only if there is one. */
  public long newestTime() {
    int at = firstRecord(position(words[HEAD]));
    for (int i = events(); i > 1; i--) {
      at = firstRecord(at + RecordFormat.size(words, at));
    }
    return words[at + 1];
  }

  private int firstRecord(int at) {
    return at == words.length || RecordFormat.phase(words[at]) == RecordFormat.SKIP ? START : at;
  }

  /**
   * Uses what copying has left free: room behind the tail, or at the start, where the tail moves
   * then. For the owner.
   *
   * @return up to where records may be appended; 0 if the record does not fit
   */
  public int freeRoom(int recordWords) {
    int head = position(words[HEAD]);
    int tail = position(words[TAIL]);
    if (events() == 0) {
      reset();
      return words.length;
    }
    int end = tail > head ? words.length : head;
    if (tail + recordWords <= end) {
      return end;
    }
    if (tail <= head || START + recordWords > head) {
      return 0;
    }
    skipToStart(tail);
    words[TAIL] = mark(count(words[TAIL]), START);
    return head;
  }

  private void skipToStart(int tail) {
    if (tail < words.length) {
      words[tail] = RecordFormat.header(RecordFormat.SKIP, 0, 0);
    }
  }

  /**
   * Drops the oldest events until a record fits behind the tail, which may move to the start. For
   * the owner. {@link #dropped()} says how many were dropped.
   *
   * @param recordWords no more than the ring has
   * @return the tail to store the record at
   */
  public long makeRoom(int recordWords) {
    int head = position(words[HEAD]);
    int tail = position(words[TAIL]);
    int count = events();
    dropped = 0;
    while (true) {
      if (count == 0) {
        head = START;
        tail = START;
        break;
      }
      if (tail > head) { // the content does not go round
        if (tail + recordWords <= words.length) {
          break;
        }
        skipToStart(tail);
        tail = START;
      } else if (tail + recordWords <= head) {
        break;
      } else {
        head = dropOldest(firstRecord(head));
        count--;
      }
    }
    int end = count(words[TAIL]);
    WORDS.setOpaque(words, HEAD, mark(end - count, head));
    words[TAIL] = mark(end, tail);
    return words[TAIL];
  }

  private int dropOldest(int at) {
    long time = words[at + 1];
    if (dropped++ == 0) {
      droppedFrom = time;
    }
    droppedTo = time;
    int next = at + RecordFormat.size(words, at);
    return firstRecord(next);
  }

  /** How many events {@link #makeRoom} has dropped. */
  public int dropped() {
    return dropped;
  }

  /** When the first of the dropped events was recorded. */
  public long droppedFrom() {
    return droppedFrom;
  }

  /** When the last of the dropped events was recorded. */
  public long droppedTo() {
    return droppedTo;
  }

  /**
   * Copies what has been published into another ring and moves the head behind it. While the writer
   * may append, but nobody overwrites.
   *
   * @param other an empty ring of the same size that belongs to the caller
   * @return how many events were copied
   */
  public int moveTo(Ring other) {
    long tail = (long) WORDS.getAcquire(words, TAIL);
    long head = (long) WORDS.getOpaque(words, HEAD);
    int count = count(tail) - count(head);
    if (count > 0) {
      int from = position(head);
      int to = position(tail);
      int copied = to > from ? copy(from, to, other, START) : copyRound(from, to, other);
      other.words[TAIL] = mark(count(other.words[HEAD]) + count, START + copied);
      other.belongsTo(origin);
      WORDS.setOpaque(words, HEAD, tail);
    }
    return count;
  }

  /**
   * Moves the head behind all that has been published. While the writer may append, but nobody
   * overwrites.
   *
   * @return how many events were passed over
   */
  public int skip() {
    long tail = (long) WORDS.getAcquire(words, TAIL);
    long head = (long) WORDS.getOpaque(words, HEAD);
    WORDS.setOpaque(words, HEAD, tail);
    return count(tail) - count(head);
  }

  /**
   * Drops the events from before a time, up to the first that is not. For the owner.
   *
   * @param time a reading of the clock
   * @return how many were dropped
   */
  public int dropBefore(long time) {
    int count = events();
    int at = position(words[HEAD]);
    dropped = 0;
    while (dropped < count && words[firstRecord(at) + 1] - time < 0) {
      at = dropOldest(firstRecord(at));
    }
    WORDS.setOpaque(words, HEAD, mark(count(words[HEAD]) + dropped, at));
    return dropped;
  }

  /**
   * Counts the oldest events that have no more than so many words together; one event in any case.
   * For the owner.
   */
  public int eventsWithin(int mostWords) {
    int most = events();
    int at = position(words[HEAD]);
    int taken = 0;
    for (int i = 0; i < most; i++) {
      at = firstRecord(at);
      int size = RecordFormat.size(words, at);
      taken += size;
      if (taken > mostWords) {
        return Math.max(1, i);
      }
      at += size;
    }
    return most;
  }

  /**
   * Removes the oldest events. For the owner.
   *
   * @param count how many, no more than there are
   */
  public void removeOldest(int count) {
    int at = position(words[HEAD]);
    for (int i = 0; i < count; i++) {
      at = firstRecord(at);
      at += RecordFormat.size(words, at);
    }
    WORDS.setOpaque(words, HEAD, mark(count(words[HEAD]) + count, at));
  }

  private int copyRound(int from, int to, Ring other) {
    int at = firstRecord(from);
    int end = at;
    while (end >= from
        && end < words.length
        && RecordFormat.phase(words[end]) != RecordFormat.SKIP) {
      end += RecordFormat.size(words, end);
    }
    int first = at >= from ? copy(at, end, other, START) : 0;
    return first + copy(START, to, other, START + first);
  }

  private int copy(int from, int to, Ring other, int at) {
    System.arraycopy(words, from, other.words, at, to - from);
    return to - from;
  }

  /**
   * Its oldest events, for the owner.
   *
   * @param count how many, no more than there are
   * @param lane the lane they were recorded on
   * @param threadNames the names of threads that share rings, by their numbers
   */
  public RingReader reader(int count, Lane lane, LongFunction<String> threadNames) {
    return new RingReader(
        words, position(words[HEAD]), count, lane, origin.threadName(), threadNames);
  }

  private static int position(long mark) {
    return (int) mark;
  }

  private static int count(long mark) {
    return (int) (mark >>> 32);
  }

  private static long mark(int count, int position) {
    return (long) count << 32 | position;
  }
}
