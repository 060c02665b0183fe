package outbox;

import holdfast.retry.RetryAfter;
import java.time.Duration;

/** A listener's wish to be asked again after a time it knows better than any backoff. */
public class RetryAfterException extends Exception implements RetryAfter {
  private static final long serialVersionUID = 1L;

  private final Duration delay;

  /**
   * The wish to be asked again; counts as a failed attempt.
   *
   * @param delay how long to wait, zero or more
   */
  public RetryAfterException(Duration delay) {
    this(delay, "listener asked to be called again after " + delay);
  }

  /**
   * The wish to be asked again, with a reason; counts as a failed attempt.
   *
   * @param delay how long to wait, zero or more
   * @param message why
   */
  public RetryAfterException(Duration delay, String message) {
    super(message);
    if (delay.isNegative()) {
      throw new IllegalArgumentException("delay must be zero or more but was " + delay);
    }
    this.delay = delay;
  }

  @Override
  public final Duration delay() {
    return delay;
  }
}
