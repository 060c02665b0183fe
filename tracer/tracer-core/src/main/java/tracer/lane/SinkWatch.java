package tracer.lane;

import java.time.Duration;

/**
 * Whether the sink is slower than it should be. Written by the drain, safe to be read by many
 * threads.
 */
public final class SinkWatch {
  private static final long IDLE = Long.MIN_VALUE;

  private final long bound;
  private volatile long busySince = IDLE;
  private volatile boolean failing;

  /**
   * A sink that has not been called.
   *
   * @param bound how long one call may take
   */
  public SinkWatch(Duration bound) {
    this.bound = bound.toNanos();
  }

  /** A call begins. */
  public void begins(long now) {
    busySince = now;
  }

  /** The call has ended. */
  public void ended(boolean failed) {
    busySince = IDLE;
    failing = failed;
  }

  /** Whether the last call has failed. */
  public boolean isFailing() {
    return failing;
  }

  /** Whether the last call has failed, or the one under way takes longer than it may. */
  public boolean isSlow(long now) {
    long since = busySince;
    return failing || (since != IDLE && now - since > bound);
  }
}
