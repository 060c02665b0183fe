package eventlog.tool;

/** Why the tool gives up, to be shown without a stack trace. */
final class ToolException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Exit exit;

  ToolException(Exit exit, String message) {
    super(message);
    this.exit = exit;
  }

  Exit exit() {
    return exit;
  }
}
