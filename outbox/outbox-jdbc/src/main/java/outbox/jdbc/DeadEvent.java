package outbox.jdbc;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An event that was given up, without its payload. Immutable.
 *
 * @param eventId its id
 * @param eventType its type
 * @param aggregateType what it is about
 * @param aggregateId which one it is about
 * @param tenantId whose it is
 * @param attempts how many deliveries failed
 * @param createdAt when it occurred
 * @param diedAt when it was given up; where the mark did not say, when it was last due
 * @param lastError why
 */
public record DeadEvent(
    String eventId,
    String eventType,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable String tenantId,
    int attempts,
    Instant createdAt,
    Instant diedAt,
    @Nullable String lastError) {}
