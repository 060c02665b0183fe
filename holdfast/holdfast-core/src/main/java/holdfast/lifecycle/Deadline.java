package holdfast.lifecycle;

import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A moment by which several stages must all be done: each waits for what the stages before it have
 * left over, so that a shutdown of many stages still ends in time.
 *
 * <p>What is left is measured by the given clock; the waiting itself is done in real time.
 *
 * <p>Immutable; safe for use by many threads.
 */
public final class Deadline {
  private final TimeSource time;
  private final long startedAt;
  private final long budgetNanos;

  private Deadline(TimeSource time, long budgetNanos) {
    this.time = time;
    this.startedAt = time.nanoTime();
    this.budgetNanos = budgetNanos;
  }

  /**
   * The moment when the given time has passed from now.
   *
   * @param budget the time for all stages together; zero or less is over at once
   * @param time the clock to measure by
   * @return the deadline
   */
  public static Deadline after(Duration budget, TimeSource time) {
    return new Deadline(time, Math.max(0, TimeUnit.NANOSECONDS.convert(budget)));
  }

  /** What is left, zero when the moment has passed. */
  public Duration remaining() {
    return Duration.ofNanos(remainingNanos());
  }

  /** Whether the moment has passed. */
  public boolean isOver() {
    return remainingNanos() == 0;
  }

  /**
   * Waits for a latch for as long as is left.
   *
   * @param latch what to wait for
   * @return whether the latch is at zero
   * @throws InterruptedException if the waiting thread is interrupted
   */
  public boolean await(CountDownLatch latch) throws InterruptedException {
    return latch.await(remainingNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Waits for a latch for as long as is left, also on a thread that is interrupted, which it stays.
   *
   * @param latch what to wait for
   * @return whether the latch is at zero
   */
  public boolean awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return await(latch);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Waits for a thread to end for as long as is left.
   *
   * @param thread what to wait for
   * @return whether the thread has ended, or was never started
   * @throws InterruptedException if the waiting thread is interrupted
   */
  public boolean join(Thread thread) throws InterruptedException {
    TimeUnit.NANOSECONDS.timedJoin(thread, remainingNanos());
    return !thread.isAlive();
  }

  /**
   * Waits for an executor that was shut down to finish, for as long as is left.
   *
   * @param executor what to wait for
   * @return whether all its tasks have ended
   * @throws InterruptedException if the waiting thread is interrupted
   */
  public boolean awaitTermination(ExecutorService executor) throws InterruptedException {
    return executor.awaitTermination(remainingNanos(), TimeUnit.NANOSECONDS);
  }

  private long remainingNanos() {
    return Math.max(0, budgetNanos - (time.nanoTime() - startedAt));
  }
}
