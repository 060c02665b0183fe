package eventbus;

import holdfast.retry.NonRetryable;
import org.jspecify.annotations.Nullable;

/** A handler's verdict that trying again is of no use: the event is FAILED now. */
public class NonRetryableException extends Exception implements NonRetryable {
  private static final long serialVersionUID = 1L;

  /**
   * A verdict.
   *
   * @param message why trying again is of no use
   */
  public NonRetryableException(String message) {
    this(message, null);
  }

  /**
   * A verdict with a cause.
   *
   * @param message why trying again is of no use
   * @param cause what happened
   */
  public NonRetryableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
