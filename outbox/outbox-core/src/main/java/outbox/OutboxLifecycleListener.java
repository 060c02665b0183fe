package outbox;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Is called at lifecycle events, on the thread where they happen; must return quickly. What it
 * throws is logged and otherwise ignored. Must be safe for use by many threads.
 */
public interface OutboxLifecycleListener {
  /** Does nothing. */
  OutboxLifecycleListener NONE = new OutboxLifecycleListener() {};

  /**
   * The event is DONE in the table: all its listeners returned.
   *
   * @param event the event
   */
  default void onDelivered(EventEnvelope event) {}

  /**
   * A listener failed; the event will be delivered again.
   *
   * @param event the event
   * @param delay how long it waits
   * @param error what failed
   */
  default void onRetry(EventEnvelope event, Duration delay, String error) {}

  /**
   * The event is DEAD in the table.
   *
   * @param eventId the event
   * @param eventType its type; null if the event was never read, since its nodes died or hung while
   *     they delivered it
   * @param error why
   */
  default void onDead(String eventId, @Nullable String eventType, String error) {}

  /**
   * The event was released undelivered, for another node or for later: no room in the queue, or the
   * node is closing.
   *
   * @param event the event
   */
  default void onReleased(EventEnvelope event) {}

  /**
   * The event was released because this node has no listener for its type. Called for each event.
   *
   * @param event the event
   */
  default void onUnhandled(EventEnvelope event) {}

  /**
   * The database does not answer; the node tries again until it does.
   *
   * @param cause what it said
   */
  default void onDatabaseLost(Exception cause) {}

  /** The database answers again. */
  default void onDatabaseBack() {}
}
