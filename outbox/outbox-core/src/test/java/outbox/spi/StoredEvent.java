package outbox.spi;

import java.time.Instant;
import outbox.model.EventStatus;

/**
 * A row as the contract kit looks at it; what a store does not keep is null or 0. Immutable.
 *
 * @param status where the event stands
 * @param attempts how many deliveries have failed
 * @param availableAt when it is due
 * @param createdAt when it happened
 * @param doneAt when it reached its last status
 * @param lastError what went wrong last
 * @param claimedBy the node that holds it
 * @param token the number of the last claim
 * @param lapses how often a node that held it fell silent
 * @param unhandledSince since when no node listens to its type
 * @param failingSince when a delivery failed first
 * @param parked whether it is set aside until the one before it is closed
 */
public record StoredEvent(
    EventStatus status,
    int attempts,
    Instant availableAt,
    Instant createdAt,
    Instant doneAt,
    String lastError,
    String claimedBy,
    long token,
    int lapses,
    Instant unhandledSince,
    Instant failingSince,
    boolean parked) {}
