package outbox.dispatch;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether and when an event is delivered again after a failure. Must be safe for use by many
 * threads.
 */
@FunctionalInterface
public interface RetryPolicy {

  /**
   * The delay before the next attempt.
   *
   * @param attempts how many deliveries have failed, this one included
   * @return milliseconds, 0 or more
   */
  long computeDelayMs(int attempts);

  /**
   * Returns the delay before the next attempt, or empty to give the event up. The outbox calls this
   * method; unless overridden, it returns the delay of {@link #computeDelayMs}, whatever failed.
   *
   * @param attempts how many deliveries have failed, this one included
   * @param failure what the listener threw
   * @return the delay, zero or more; a negative one is logged, and the event waits for a second
   */
  default Optional<Duration> delay(int attempts, Throwable failure) {
    return Optional.of(Duration.ofMillis(computeDelayMs(attempts)));
  }
}
