package eventlog;

/**
 * The logger's counters at one moment. Immutable.
 *
 * @param eventsQueued events accepted into the main queue
 * @param eventsSent events the API has answered for, from memory or from disk
 * @param eventsFailed events lost for good
 * @param eventsSpilled events written to disk
 * @param eventsReplayed events from disk that the API has answered for
 * @param queueDepth events in the main queue now
 * @param circuitBreakerOpen whether requests are refused now
 */
public record EventLogMetrics(
    long eventsQueued,
    long eventsSent,
    long eventsFailed,
    long eventsSpilled,
    long eventsReplayed,
    int queueDepth,
    boolean circuitBreakerOpen) {}
