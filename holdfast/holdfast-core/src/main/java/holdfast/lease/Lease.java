package holdfast.lease;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Something a node has claimed, from the moment it is queued until its mark is written; rooms
 * extend it by what they claim.
 *
 * <p>The stage moves only forward: {@code QUEUED} to {@code RUNNING} (by a worker), or {@code
 * QUEUED} to {@code LEFT} (given back or lost while it waited). Whoever makes that move decides
 * what happens next; all others leave it alone. The end of the lease is written by whoever renewed
 * it and read by the worker that starts. Moments are readings of a monotonic clock. Safe for use by
 * many threads.
 */
public abstract class Lease {
  private enum Stage {
    QUEUED,
    RUNNING,
    LEFT
  }

  private final long queuedAt;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.QUEUED);
  private volatile long endsAt;

  /**
   * Something queued.
   *
   * @param queuedAt when it was queued
   * @param endsAt when its lease ends, counted from before the claim was sent
   */
  protected Lease(long queuedAt, long endsAt) {
    this.queuedAt = queuedAt;
    this.endsAt = endsAt;
  }

  /** Whether it waits in a queue, and has since that moment. */
  public final boolean hasWaitedSince(long moment) {
    return stage.get() == Stage.QUEUED && queuedAt - moment <= 0;
  }

  /** How much of the lease is left, in nanoseconds. */
  public final long left(long now) {
    return endsAt - now;
  }

  /** Notes that the lease was renewed. */
  public final void extendTo(long moment) {
    endsAt = moment;
  }

  /** Whether the caller is the one to run it. */
  public final boolean begin() {
    return stage.compareAndSet(Stage.QUEUED, Stage.RUNNING);
  }

  /** Whether the caller is the one to take it out of the queue unrun. */
  public final boolean leave() {
    return stage.compareAndSet(Stage.QUEUED, Stage.LEFT);
  }
}
