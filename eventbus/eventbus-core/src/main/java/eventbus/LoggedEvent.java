package eventbus;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A line of the log, without payload and headers. Immutable.
 *
 * @param id the event
 * @param type its type
 * @param attempts how often it was acquired
 * @param createdAt when it was published
 * @param status COMPLETED or FAILED
 * @param error why it failed; null if it did not, or nobody said why
 * @param finishedAt when it was closed
 * @param republishedAs the id of the event made from it, if there is one
 */
public record LoggedEvent(
    long id,
    String type,
    int attempts,
    Instant createdAt,
    EventStatus status,
    @Nullable String error,
    Instant finishedAt,
    @Nullable Long republishedAs) {}
