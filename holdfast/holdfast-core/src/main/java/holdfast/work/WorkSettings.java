package holdfast.work;

/**
 * How an engine works. Immutable.
 *
 * @param library the library's name: that of its logger, and the first word of its threads' names
 * @param workers how many events are handled at the same time
 * @param committedCapacity how many events may wait that were just committed here
 * @param claimedCapacity how many events may wait that were claimed from the table
 * @param lease how long claims last and how they are kept
 * @param timeouts how long handlers may run
 * @param retries what becomes of an event whose handler failed
 * @param drains whether closing lets workers take what waits, before the rest is released
 */
public record WorkSettings(
    String library,
    int workers,
    int committedCapacity,
    int claimedCapacity,
    LeaseTimes lease,
    HandlerTimeouts timeouts,
    Retries retries,
    boolean drains) {}
