package eventbus;

import holdfast.problems.Problems;
import holdfast.retry.Backoff;
import java.time.Duration;

/**
 * What becomes of an event whose handler failed: how often it is tried, and how long it waits in
 * between. Immutable; safe for use by many threads.
 */
public final class RetryPolicy {
  /** How often an event is tried unless configured: {@value}. */
  public static final int DEFAULT_MAX_ATTEMPTS = 10;

  /** The wait after the first failure unless configured. */
  public static final Duration DEFAULT_BASE_DELAY = Duration.ofSeconds(1);

  /** The longest wait unless configured. */
  public static final Duration DEFAULT_MAX_DELAY = Duration.ofMinutes(5);

  /** One failure closes the event as FAILED. */
  public static final RetryPolicy FAIL_FAST =
      new RetryPolicy(1, Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(1)));

  /** Ten tries; 1 s after the first failure, doubled up to 5 minutes, scattered. */
  public static final RetryPolicy DEFAULT =
      backoff(DEFAULT_MAX_ATTEMPTS, DEFAULT_BASE_DELAY, DEFAULT_MAX_DELAY);

  private final int maxAttempts;
  private final Backoff backoff;

  private RetryPolicy(int maxAttempts, Backoff backoff) {
    this.maxAttempts = maxAttempts;
    this.backoff = backoff;
  }

  /**
   * Tries so often, waiting longer each time, by a factor scattered from 0.5 to 1.5.
   *
   * @param maxAttempts how many failures close the event as FAILED, 1 or more
   * @param base the wait after the first failure, more than zero
   * @param cap the longest wait, the base or more
   * @return the policy
   * @throws IllegalArgumentException if a value is out of range
   */
  public static RetryPolicy backoff(int maxAttempts, Duration base, Duration cap) {
    new Problems("RetryPolicy")
        .require(maxAttempts >= 1, "maxAttempts", "be 1 or more", maxAttempts)
        .throwIfAny();
    return new RetryPolicy(maxAttempts, Backoff.exponential(base, cap));
  }

  /** How many failures close an event as FAILED. */
  public int maxAttempts() {
    return maxAttempts;
  }

  /** How long to wait after so many failures. */
  public Duration delay(int failures) {
    return backoff.delay(failures);
  }
}
