package outbox.dispatch;

/** Which events this node has in hand, so that none is taken twice. Must be thread-safe. */
public interface InFlightTracker {

  /**
   * Takes an event in hand.
   *
   * @param eventId which event
   * @return false if it is in hand already
   */
  boolean tryAcquire(String eventId);

  /**
   * Lets an event go.
   *
   * @param eventId which event
   */
  void release(String eventId);
}
