package outbox;

import holdfast.retry.RetryAfter;
import java.time.Duration;
import java.util.Objects;

/**
 * Thrown by a listener to choose itself how long to wait before it is called again. Costs no
 * attempt where {@code retryFor} limits how long an event may fail, which ends this too: a delay
 * beyond that limit is shortened to it. Counts as a failed attempt otherwise.
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
    Objects.requireNonNull(
        delay,
        "RetryAfterException needs a delay but was given null; say how long to wait, Duration.ZERO"
            + " for not at all");
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
