package holdfast.payload;

/**
 * Takes the payloads of events together with the events, for handlers that need an id or a header.
 * May see the same one again, after a crash or a failure; must be safe for use by many threads.
 *
 * @param <P> the class of the payloads
 * @param <E> the class of the events
 */
@FunctionalInterface
public interface PayloadEventHandler<P, E> {

  /**
   * Handles an event.
   *
   * @param payload the payload
   * @param event the event it came with
   * @throws Exception if it failed; see the library that calls it
   */
  void handle(P payload, E event) throws Exception;
}
