package outbox;

/**
 * Listener that reacts to outbox events: publishes to a broker, updates a cache, calls a service.
 *
 * <p>Listeners of an event run one after the other in the order they were registered, on one worker
 * thread, at least once. An event may come again; its {@link EventEnvelope#eventId() id} is the
 * same then. Must be safe for use by many threads.
 */
@FunctionalInterface
public interface EventListener {

  /**
   * Takes one event.
   *
   * @param event the event
   * @throws RetryAfterException to be asked again after a time of the listener's choice
   * @throws NonRetryableException to give the event up at once
   * @throws Exception any other failure: all listeners of the event are asked again after a backoff
   */
  void onEvent(EventEnvelope event) throws Exception;
}
