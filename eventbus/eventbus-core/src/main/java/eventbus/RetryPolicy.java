package eventbus;

import holdfast.problems.Problems;
import holdfast.retry.Backoff;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether and when an event is handled again after a failure. Must be safe for use by many threads.
 */
@FunctionalInterface
public interface RetryPolicy {
  /** The wait after the first failure unless configured: 200 ms. */
  Duration DEFAULT_BASE_DELAY = Duration.ofMillis(200);

  /** The longest wait unless configured: 10 minutes. */
  Duration DEFAULT_MAX_DELAY = Duration.ofMinutes(10);

  /** One failure closes the event as FAILED. */
  RetryPolicy FAIL_FAST = (failures, failure) -> Optional.empty();

  /** Waits 200 ms after the first failure, doubled with each up to 10 minutes, scattered. */
  RetryPolicy DEFAULT = backoff(DEFAULT_BASE_DELAY, DEFAULT_MAX_DELAY);

  /**
   * Waits longer after each failure, by a factor scattered from 0.5 to 1.5, without a limit of
   * attempts.
   *
   * @param base the wait after the first failure, more than zero
   * @param cap the longest wait, the base or more
   * @return the policy
   * @throws IllegalArgumentException if a value is out of range
   */
  static RetryPolicy backoff(Duration base, Duration cap) {
    return backoff(Integer.MAX_VALUE, base, cap);
  }

  /**
   * The same with a limit of attempts.
   *
   * @param maxAttempts how many failures close the event as FAILED, 1 or more
   * @param base the wait after the first failure, more than zero
   * @param cap the longest wait, the base or more
   * @return the policy
   * @throws IllegalArgumentException if a value is out of range
   */
  static RetryPolicy backoff(int maxAttempts, Duration base, Duration cap) {
    new Problems("RetryPolicy")
        .require(maxAttempts >= 1, "maxAttempts", "be 1 or more", maxAttempts)
        .throwIfAny();
    Backoff backoff = Backoff.exponential(base, cap);
    return (failures, failure) ->
        failures >= maxAttempts ? Optional.empty() : Optional.of(backoff.delay(failures));
  }

  /**
   * Returns how long to wait before the next attempt, or empty to close the event as FAILED.
   *
   * @param failures how many attempts have failed, this one included
   * @param failure what the handler threw
   * @return the wait, zero or more; a negative one is logged, and the event waits for a second
   */
  Optional<Duration> delay(int failures, Throwable failure);
}
