package eventbus;

/** There is no event of that id: neither to be worked on nor in the log. */
public class UnknownEventException extends EventBusException {
  private static final long serialVersionUID = 1L;

  /**
   * There is none.
   *
   * @param id the id
   */
  public UnknownEventException(long id) {
    super(
        "event "
            + id
            + " must be in the table or the log but is in neither: it was never committed, or was"
            + " purged; take the id that publish returned, and commit first",
        null);
  }
}
