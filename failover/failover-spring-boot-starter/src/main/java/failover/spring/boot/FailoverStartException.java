package failover.spring.boot;

import org.jspecify.annotations.Nullable;

/** The application cannot start like this; says what was found and the way out. */
final class FailoverStartException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final String description;
  private final String action;

  FailoverStartException(String description, String action, @Nullable Throwable cause) {
    super(description + "; " + action, cause);
    this.description = description;
    this.action = action;
  }

  String description() {
    return description;
  }

  String action() {
    return action;
  }
}
