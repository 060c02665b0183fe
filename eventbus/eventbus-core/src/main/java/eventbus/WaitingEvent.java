package eventbus;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event that waits for its next attempt after a failure, without payload and headers. Immutable.
 *
 * @param id the event
 * @param type its type
 * @param failures how many attempts have failed; those that {@link RetryAfterException} put off do
 *     not count
 * @param failingSince when the first failed
 * @param nextTry when it is due, by the database's clock
 * @param lastError why the last failed: class, message and the first lines of the stack, of the
 *     failure and its causes, at most 4,000 characters
 */
public record WaitingEvent(
    long id,
    String type,
    int failures,
    Instant failingSince,
    Instant nextTry,
    @Nullable String lastError) {}
