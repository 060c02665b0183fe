package outbox.dispatch;

/** How long to wait after a failed delivery. Must be safe for use by many threads. */
@FunctionalInterface
public interface RetryPolicy {

  /**
   * The delay before the next attempt.
   *
   * @param attempts how many deliveries have failed, this one included
   * @return milliseconds, 0 or more
   */
  long computeDelayMs(int attempts);
}
