package outbox.dispatch;

/** Which events this node has in flight, so that none is taken twice. Must be thread-safe. */
public interface InFlightTracker {

  /**
   * Takes an event in flight.
   *
   * @param eventId which event
   * @return false if it is in flight already
   */
  boolean tryAcquire(String eventId);

  /**
   * Lets an event go.
   *
   * @param eventId which event
   */
  void release(String eventId);
}
