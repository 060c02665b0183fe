package outbox.dispatch;

import holdfast.work.WorkItem;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.Claim;
import outbox.model.Held;

/** An event that this node delivers. Safe for use by many threads. */
final class Delivery extends WorkItem {
  private final QueuedEvent queued;
  private final @Nullable Held held;
  private final @Nullable Claim claim;
  private final boolean leased;
  private final long bytes;
  private final int suspectGroup;

  private Delivery(
      QueuedEvent queued,
      @Nullable Held held,
      @Nullable Claim claim,
      boolean leased,
      int suspectGroup,
      long queuedAt,
      long leaseEndsAt) {
    super(queuedAt, leaseEndsAt);
    this.queued = queued;
    this.held = held;
    this.claim = claim;
    this.leased = leased;
    this.suspectGroup = suspectGroup;
    this.bytes = queued.envelope().approximateSize();
  }

  /** An event of which only the store's five plain methods know. */
  static Delivery unleased(QueuedEvent queued, long now) {
    return new Delivery(queued, null, null, false, 0, now, now);
  }

  /**
   * An event published by this node, with the token its row was inserted with.
   *
   * @param leased whether its row was inserted with a lease
   */
  static Delivery hot(EventEnvelope event, boolean leased, long now, long leaseEndsAt) {
    QueuedEvent queued = new QueuedEvent(event, QueuedEvent.Source.HOT, 0);
    Held held = new Held(event.eventId(), 0);
    return new Delivery(queued, held, null, leased, 0, now, leaseEndsAt);
  }

  /**
   * An event claimed from the table.
   *
   * @param group the size of the group of the suspects that were claimed with it
   */
  static Delivery cold(EventEnvelope event, Claim claim, int group, long now, long leaseEndsAt) {
    int suspectGroup = claim.suspect() ? group : 0;
    QueuedEvent queued = new QueuedEvent(event, QueuedEvent.Source.COLD, claim.event().attempts());
    return new Delivery(queued, claim.held(), claim, true, suspectGroup, now, leaseEndsAt);
  }

  EventEnvelope event() {
    return queued.envelope();
  }

  boolean isCold() {
    return queued.source() == QueuedEvent.Source.COLD;
  }

  @Override
  public String id() {
    return event().eventId();
  }

  @Override
  public String type() {
    return event().eventType();
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public int failures() {
    return queued.attempts();
  }

  @Override
  public @Nullable Duration failingFor() {
    return claim == null ? null : claim.failingFor();
  }

  @Override
  public boolean isFailingTimeKept() {
    return held != null;
  }

  /** The proof that this node holds the event; null where the store knows no leases. */
  @Nullable Held held() {
    return held;
  }

  @Override
  public boolean isLeased() {
    return leased;
  }

  @Override
  public int suspectGroup() {
    return suspectGroup;
  }

  /** Whether others of its aggregate wait for its outcome. A claimed envelope does not tell. */
  boolean isOrdered() {
    return claim == null ? event().isOrdered() : claim.ordered();
  }

  @Override
  public boolean isAwaited() {
    return isSuspect() || isOrdered();
  }

  /**
   * For how long no node has had a listener. The store's clock measures it, never this node's; a
   * store with the five plain methods does not remember it, so there the event's age is taken.
   */
  @Nullable Duration unhandledFor(Instant now) {
    if (held == null && failures() > 0) {
      return Duration.between(event().occurredAt(), now);
    }
    return claim == null ? null : claim.unhandledFor();
  }

  /** Whether another event of the aggregate may have to go first; a claim has asked already. */
  boolean mayHaveToWaitForOthers() {
    return !isCold() && event().isOrdered() && held != null;
  }

  @Override
  public String toString() {
    return "eventId=" + id();
  }
}
