package outbox;

import org.jspecify.annotations.Nullable;

/** Trouble of the world that the outbox could not hide: a database that fails, a table missing. */
public class OutboxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Trouble with a cause.
   *
   * @param message what was tried and how to fix it
   * @param cause what happened
   */
  public OutboxException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
