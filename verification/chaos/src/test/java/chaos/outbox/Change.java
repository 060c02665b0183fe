package chaos.outbox;

import chaos.Span;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One change of an event's row, as the database noted it in the transaction that made it.
 *
 * @param at when
 * @param oldHolder whose lease it was, null if nobody's
 * @param newHolder whose lease it is now, null if nobody's
 * @param leaseEnd until when the old lease lasted
 * @param oldAttempts failed deliveries before
 * @param newAttempts failed deliveries after
 * @param newStatus the status after
 */
record Change(
    String eventId,
    Instant at,
    @Nullable String oldHolder,
    @Nullable String newHolder,
    Instant leaseEnd,
    int oldAttempts,
    int newAttempts,
    int newStatus) {

  /** Whether a node claimed what another still seemed to hold: that one's lease has run out. */
  boolean isTakeover() {
    return oldHolder != null && newHolder != null;
  }

  /** Whether a failed delivery was marked. */
  boolean isRetry() {
    return newAttempts > oldAttempts;
  }

  /** When the old holder cannot have renewed: from its last renewal to the end of its lease. */
  Span unrenewed(Duration lease) {
    return new Span(leaseEnd.minus(lease), leaseEnd);
  }
}
