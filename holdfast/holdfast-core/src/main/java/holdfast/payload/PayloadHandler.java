package holdfast.payload;

/**
 * Takes the payloads of events. May see the same one again, after a crash or a failure; must be
 * safe for use by many threads.
 *
 * @param <P> the class of the payloads
 */
@FunctionalInterface
public interface PayloadHandler<P> {

  /**
   * Handles an event.
   *
   * @param payload the payload
   * @throws Exception if it failed; see the library that calls it
   */
  void handle(P payload) throws Exception;
}
