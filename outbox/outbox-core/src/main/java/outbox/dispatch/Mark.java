package outbox.dispatch;

import java.time.Duration;
import java.util.Optional;

/** An outcome still to be written into the table. Immutable. */
record Mark(Delivery delivery, Outcome outcome) {

  /**
   * Whether it is written at once: failures, suspects, and what others of its aggregate wait for.
   */
  boolean isUrgent() {
    return outcome.isUrgent() || delivery.isSuspect() || delivery.isOrdered();
  }

  /** Whether the next event of its aggregate may have been set aside until now. */
  boolean closesForOthers() {
    boolean closes = outcome instanceof Outcome.Done || outcome instanceof Outcome.Dead;
    return closes && delivery.isOrdered() && delivery.held() != null;
  }

  /** How long until some event is due because of this one: itself, or one that waited for it. */
  Optional<Duration> dueIn() {
    if (outcome instanceof Outcome.Retry retry) {
      return Optional.of(retry.delay());
    }
    if (outcome instanceof Outcome.GivenBack back) {
      return Optional.of(back.delay());
    }
    if (outcome instanceof Outcome.Unhandled unhandled) {
      return Optional.of(unhandled.delay());
    }
    boolean awaited = delivery.isSuspect() || delivery.isOrdered();
    return awaited ? Optional.of(Duration.ZERO) : Optional.empty();
  }
}
