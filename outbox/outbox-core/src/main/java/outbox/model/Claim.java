package outbox.model;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An event that was due and is now held by the node that claimed it. Immutable.
 *
 * @param event the row
 * @param token the number of this claim
 * @param suspect whether an earlier claim expired without an outcome, so that the event itself may
 *     have killed the node; delivered in groups, one at a time per node
 * @param unhandledFor for how long no node has had a listener for its type, by the database's
 *     clock; null if the event was never released for that reason
 * @param failingFor how long ago its first delivery failed, by the database's clock; null if none
 *     has
 * @param dueFor how long it had been due when it was claimed, by the database's clock
 * @param ordered whether it comes after all earlier ordered events of its aggregate
 */
public record Claim(
    OutboxEvent event,
    long token,
    boolean suspect,
    @Nullable Duration unhandledFor,
    @Nullable Duration failingFor,
    Duration dueFor,
    boolean ordered) {

  /** The proof that the event is held. */
  public Held held() {
    return new Held(event.eventId(), token);
  }
}
