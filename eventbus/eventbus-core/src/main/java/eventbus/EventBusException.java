package eventbus;

import org.jspecify.annotations.Nullable;

/** The bus could not do what was asked, most often because the database could not. */
public class EventBusException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * A failure.
   *
   * @param message what was tried, what happened and how to fix it
   * @param cause what the database said, if it was asked
   */
  public EventBusException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
