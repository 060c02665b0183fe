package outbox.dispatch;

import holdfast.lease.Lease;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.Held;

/**
 * An event in the hands of this node, from the moment it is queued until its mark is written. Safe
 * for use by many threads.
 */
final class Delivery extends Lease {
  private final QueuedEvent queued;
  private final @Nullable Held held;
  private final boolean suspect;
  private final boolean ordered;
  private final @Nullable Duration unhandledFor;

  private Delivery(
      QueuedEvent queued,
      @Nullable Held held,
      boolean suspect,
      boolean ordered,
      @Nullable Duration unhandledFor,
      long queuedAt,
      long leaseEnds) {
    super(queuedAt, leaseEnds);
    this.queued = queued;
    this.held = held;
    this.suspect = suspect;
    this.ordered = ordered;
    this.unhandledFor = unhandledFor;
  }

  /** An event of which only the store's five plain methods know. */
  static Delivery unleased(QueuedEvent queued, long now) {
    return new Delivery(queued, null, false, queued.envelope().isOrdered(), null, now, now);
  }

  /** An event published by this node, with the token its row was inserted with. */
  static Delivery hot(EventEnvelope event, long now, long leaseEnds) {
    QueuedEvent queued = new QueuedEvent(event, QueuedEvent.Source.HOT, 0);
    Held held = new Held(event.eventId(), 0);
    return new Delivery(queued, held, false, event.isOrdered(), null, now, leaseEnds);
  }

  /** An event claimed from the table. */
  static Delivery cold(EventEnvelope event, Claim claim, long now, long leaseEnds) {
    QueuedEvent queued = new QueuedEvent(event, QueuedEvent.Source.COLD, claim.event().attempts());
    return new Delivery(
        queued,
        claim.held(),
        claim.suspect(),
        claim.ordered(),
        claim.unhandledFor(),
        now,
        leaseEnds);
  }

  QueuedEvent queued() {
    return queued;
  }

  EventEnvelope event() {
    return queued.envelope();
  }

  String eventId() {
    return event().eventId();
  }

  /** The proof that this node holds the event; null where the store knows no leases. */
  @Nullable Held held() {
    return held;
  }

  boolean isSuspect() {
    return suspect;
  }

  /** Whether others of its aggregate wait for its mark. A claimed row's envelope does not tell. */
  boolean isOrdered() {
    return ordered;
  }

  /** For how long no node had a listener when it was claimed, by the database's clock. */
  @Nullable Duration unhandledFor() {
    return unhandledFor;
  }

  /** Whether another event of the aggregate may have to go first; the claim has looked already. */
  boolean mayHaveToWaitForOthers() {
    return queued.source() == QueuedEvent.Source.HOT && event().isOrdered();
  }

  @Override
  public String toString() {
    return "eventId=" + eventId();
  }
}
