package outbox;

import holdfast.retry.RetryAfter;
import java.time.Duration;

/**
 * Thrown by a listener to choose itself how long to wait before it is called again. Costs no
 * attempt where {@code retryFor} limits how long an event may fail, which ends this too; counts as
 * a failed attempt otherwise.
 */
public class RetryAfterException extends Exception implements RetryAfter {
  private static final long serialVersionUID = 1L;

  private final Duration delay;

  /**
   * The wish to be called again.
   *
   * @param delay how long to wait, zero or more
   */
  public RetryAfterException(Duration delay) {
    this(delay, "listener asked to be called again after " + delay);
  }

  /**
   * The wish to be called again, with a reason.
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
