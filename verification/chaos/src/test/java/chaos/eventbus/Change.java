package chaos.eventbus;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event that changed hands, as the database noted it in the transaction that did it.
 *
 * @param at when
 * @param oldHolder who had it, null if nobody
 * @param newHolder who has it now, null if nobody
 * @param claimEnd until when the old claim lasted
 * @param attempts how often it was acquired by now
 */
record Change(
    long eventId,
    Instant at,
    @Nullable String oldHolder,
    @Nullable String newHolder,
    Instant claimEnd,
    int attempts) {

  /** Whether somebody acquired it. */
  boolean isClaim() {
    return newHolder != null;
  }

  /** Whether somebody acquired what another still seemed to have: that one's claim has lapsed. */
  boolean isTakeover() {
    return oldHolder != null && newHolder != null;
  }
}
