package eventlog.send;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes of events may wait in the queues that share it. One event always finds room where
 * no other waits. Safe for use by many threads.
 */
public final class ByteBudget {
  private volatile long max;
  private final AtomicLong used = new AtomicLong();

  /**
   * A budget that is not used yet.
   *
   * @param max how many bytes may wait
   */
  public ByteBudget(long max) {
    this.max = max;
  }

  /** A budget that never ends. */
  static ByteBudget unlimited() {
    return new ByteBudget(Long.MAX_VALUE / 2);
  }

  /** Takes bytes, unless that would be too many. */
  boolean tryTake(int bytes) {
    long before = used.getAndAdd(bytes);
    if (before <= 0 || before + bytes <= max) {
      return true;
    }
    used.addAndGet(-bytes);
    return false;
  }

  /** Takes bytes, even if that is too many: for events that are in memory already. */
  void take(int bytes) {
    used.addAndGet(bytes);
  }

  void release(long bytes) {
    used.addAndGet(-bytes);
  }

  /** Ends the limit: for the end of a logger, when what is in memory only moves. */
  public void lift() {
    max = Long.MAX_VALUE / 2;
  }

  /** Whether at most half of the bytes are used. */
  boolean isHalfFree() {
    return used.get() <= max / 2;
  }
}
