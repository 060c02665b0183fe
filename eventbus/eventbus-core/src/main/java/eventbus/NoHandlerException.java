package eventbus;

/** Nobody here handles events of that type. */
public class NoHandlerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Nobody handles it.
   *
   * @param type the type
   */
  public NoHandlerException(String type) {
    super("no handler for type '" + type + "'; register one on the router");
  }
}
