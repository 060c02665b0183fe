package eventbus;

/**
 * What this node has done since it was made. Immutable.
 *
 * @param published events published and, where the bus knows, committed
 * @param acquired events acquired, by workers and by {@code poll}
 * @param completed events this node closed as COMPLETED
 * @param failed events this node closed as FAILED
 * @param retried handler failures after which the event waits for another try
 * @param released events released unhandled
 * @param stale outcomes refused because the claim had passed to another
 * @param lapsed events acquired whose last worker was lost with them
 * @param handled events whose handlers were run
 * @param handlingNanos how long all of those took together
 */
public record Counts(
    long published,
    long acquired,
    long completed,
    long failed,
    long retried,
    long released,
    long stale,
    long lapsed,
    long handled,
    long handlingNanos) {}
