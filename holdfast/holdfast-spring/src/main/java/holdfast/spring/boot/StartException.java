package holdfast.spring.boot;

import org.jspecify.annotations.Nullable;

/**
 * The application cannot start like this; says what was found and how to fix it, which Boot shows
 * instead of a stack trace.
 */
public final class StartException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final String description;
  private final String action;

  /**
   * Without a cause.
   *
   * @param description what must hold and what was found
   * @param action what to do
   */
  public StartException(String description, String action) {
    this(description, action, null);
  }

  /**
   * With a cause.
   *
   * @param description what must hold and what was found
   * @param action what to do
   * @param cause what was thrown first, if anything was
   */
  public StartException(String description, String action, @Nullable Throwable cause) {
    super(description + "; " + action, cause);
    this.description = description;
    this.action = action;
  }

  /** What must hold and what was found. */
  public String description() {
    return description;
  }

  /** What to do. */
  public String action() {
    return action;
  }
}
