package holdfast.payload;

import holdfast.retry.NonRetryable;
import org.jspecify.annotations.Nullable;

/**
 * A payload cannot be written or read. Trying again is of no use: an event whose payload a handler
 * cannot read is given up at once, with this message as its error.
 */
public final class PayloadException extends RuntimeException implements NonRetryable {
  private static final long serialVersionUID = 1L;

  /**
   * A failure.
   *
   * @param message what cannot be done and why, without any of the data
   */
  public PayloadException(String message) {
    this(message, null);
  }

  /**
   * A failure with a cause.
   *
   * @param message what cannot be done and why, without any of the data
   * @param cause what happened; its message is logged, too
   */
  public PayloadException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
