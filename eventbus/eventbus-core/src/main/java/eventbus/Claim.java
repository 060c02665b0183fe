package eventbus;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What acquiring an event adds to it: its row, and the token that proves who has it. Immutable.
 *
 * @param id the row, and so the event
 * @param token moves on whenever the event changes hands; a claim with an old one is void
 * @param attempts how often the event was acquired, this time included; decides nothing
 * @param failures how often its handlers have failed
 * @param failingFor how long ago its handlers failed first, by the database's clock; null if they
 *     have not
 * @param lapses how often a worker was lost with it, or 1 if one may have been
 * @param doneHandlers the ids of the handlers that are done with it
 * @param createdAt when it was published, by the database's clock
 * @param processingStartedAt when it was acquired, by the database's clock
 */
public record Claim(
    long id,
    long token,
    int attempts,
    int failures,
    @Nullable Duration failingFor,
    int lapses,
    Set<String> doneHandlers,
    Instant createdAt,
    Instant processingStartedAt) {

  /** Copies the set. */
  public Claim {
    doneHandlers = Set.copyOf(doneHandlers);
  }

  /** Whether a worker was lost with this event before, so that it is handled with care. */
  public boolean isSuspect() {
    return lapses > 0;
  }
}
