package eventbus.spring.boot;

import eventbus.RetryPolicy;
import java.time.Duration;

/** What can be set under {@code eventbus.retry}. Not safe for use by many threads. */
final class RetryProperties {
  /** How many failures close an event as FAILED; with 1 it is never tried again. */
  private int maxAttempts = RetryPolicy.DEFAULT_MAX_ATTEMPTS;

  /** The wait after the first failure; doubled after each. */
  private Duration baseDelay = RetryPolicy.DEFAULT_BASE_DELAY;

  /** The longest wait. */
  private Duration maxDelay = RetryPolicy.DEFAULT_MAX_DELAY;

  public int getMaxAttempts() {
    return maxAttempts;
  }

  public void setMaxAttempts(int maxAttempts) {
    this.maxAttempts = maxAttempts;
  }

  public Duration getBaseDelay() {
    return baseDelay;
  }

  public void setBaseDelay(Duration baseDelay) {
    this.baseDelay = baseDelay;
  }

  public Duration getMaxDelay() {
    return maxDelay;
  }

  public void setMaxDelay(Duration maxDelay) {
    this.maxDelay = maxDelay;
  }
}
