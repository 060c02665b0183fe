package eventbus;

/**
 * Does what an event asks for. May see the same event again, after a crash or a failure; must be
 * safe for use by many threads.
 */
@FunctionalInterface
public interface EventHandler {

  /**
   * Handles an event.
   *
   * @param event the event, with its id
   * @throws Exception if it failed; the bus tries again, see {@link RetryPolicy}. {@link
   *     RetryAfterException} says when, {@link NonRetryableException} says never
   */
  void handle(Event event) throws Exception;
}
