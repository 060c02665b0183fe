package outbox.jdbc;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event that waits for its next attempt after a failure, without its payload. Immutable.
 *
 * @param eventId its id
 * @param eventType its type
 * @param attempts how many deliveries failed; those that {@code RetryAfterException} put off do not
 *     count
 * @param failingSince when the first failed; null if that was before the table kept it
 * @param nextTry when it is due, by the database's clock
 * @param lastError why the last failed: class, message and the first lines of the stack, of the
 *     failure and its causes, at most 4,000 characters
 */
public record WaitingEvent(
    String eventId,
    String eventType,
    int attempts,
    @Nullable Instant failingSince,
    Instant nextTry,
    @Nullable String lastError) {}
