package eventlog.spring;

/** The application cannot start with an event log like this; says what was found, the way out. */
final class EventLogStartException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final String description;
  private final String action;

  EventLogStartException(String description, String action) {
    super(description + "; " + action);
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
