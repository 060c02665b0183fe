package chaos.eventbus;

import java.time.Instant;

/**
 * A line that came into the log of closed events.
 *
 * @param at when
 * @param attempts the number of the acquisition that closed it
 * @param status how it was closed
 */
record Closing(long eventId, Instant at, int attempts, String status) {}
