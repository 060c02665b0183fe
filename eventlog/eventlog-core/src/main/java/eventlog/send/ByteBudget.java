package eventlog.send;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of events may wait in the queues that share it. One event always finds room where
 * no other large one waits. Safe for use by many threads.
 *
 * <p>Counting costs those who log, so small events are not counted: half of the bytes is set aside
 * for them. An event is small if as many of them as the queues have places for fit into that half.
 */
public final class ByteBudget {
  private final int small;
  private volatile long max; // of those that are counted
  private final AtomicLong used = new AtomicLong();

  /**
   * A budget that is not used yet.
   *
   * @param bytes how many bytes may wait
   * @param places how many events may wait in the queues that share it
   */
  public ByteBudget(long bytes, long places) {
    this.small = (int) Math.min(Integer.MAX_VALUE, bytes / 2 / places);
    this.max = bytes - small * places;
  }

  /** A budget that never ends. */
  static ByteBudget unlimited() {
    return new ByteBudget(Long.MAX_VALUE, 1);
  }

  /** Takes bytes, unless that would be too many. */
  boolean tryTake(int bytes) {
    if (bytes <= small) {
      return true;
    }
    long before = used.getAndAdd(bytes);
    if (before <= 0 || before + bytes <= max) {
      return true;
    }
    used.addAndGet(-bytes);
    return false;
  }

  /** Takes bytes, even if that is too many: for events that are in memory already. */
  void take(int bytes) {
    if (bytes > small) {
      used.addAndGet(bytes);
    }
  }

  void release(int bytes) {
    if (bytes > small) {
      used.addAndGet(-bytes);
    }
  }

  /** Ends the limit: for the end of a logger, when what is in memory only moves. */
  public void lift() {
    max = Long.MAX_VALUE / 2;
  }

  /** Whether at most half of what is counted is used. */
  boolean isHalfFree() {
    return used.get() <= max / 2;
  }
}
