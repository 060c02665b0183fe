package eventbus.spring.boot;

import eventbus.RetryPolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What can be set under {@code eventbus.retry}. Not safe for use by many threads. */
final class RetryProperties {
  /** How many failures close an event as FAILED; no limit unless set. */
  private @Nullable Integer maxAttempts;

  /** The wait after the first failure; doubled after each. */
  private Duration baseDelay = RetryPolicy.DEFAULT_BASE_DELAY;

  /** The longest wait. */
  private Duration maxDelay = RetryPolicy.DEFAULT_MAX_DELAY;

  public @Nullable Integer getMaxAttempts() {
    return maxAttempts;
  }

  public void setMaxAttempts(@Nullable Integer maxAttempts) {
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
