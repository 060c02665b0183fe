package eventlog;

import java.util.function.ToDoubleFunction;

/** The meters of the library, each with its name, its meaning and where its value comes from. */
public enum EventLogMeter {
  /** Accepted into the main queue. */
  EVENTS_QUEUED(
      "eventlog.events.queued",
      "Total events accepted into the main queue",
      EventLogMetrics::eventsQueued),
  /** Delivered. */
  EVENTS_SENT(
      "eventlog.events.sent", "Total events successfully delivered", EventLogMetrics::eventsSent),
  /** Lost. */
  EVENTS_FAILED(
      "eventlog.events.failed", "Total events permanently lost", EventLogMetrics::eventsFailed),
  /** Written to disk. */
  EVENTS_SPILLED(
      "eventlog.events.spilled",
      "Total events written to spillover disk",
      EventLogMetrics::eventsSpilled),
  /** Delivered from disk. */
  EVENTS_REPLAYED(
      "eventlog.events.replayed",
      "Total events replayed from disk",
      EventLogMetrics::eventsReplayed),
  /** In the main queue. */
  QUEUE_DEPTH("eventlog.queue.depth", "Current in-memory queue size", EventLogMetrics::queueDepth),
  /** The breaker. */
  CIRCUIT_BREAKER_OPEN(
      "eventlog.circuit-breaker.open",
      "Circuit breaker state (1=open, 0=closed)",
      metrics -> metrics.circuitBreakerOpen() ? 1 : 0);

  private final String meterName;
  private final String description;

  @SuppressWarnings("ImmutableEnumChecker") // functions without a state
  private final ToDoubleFunction<EventLogMetrics> value;

  EventLogMeter(String meterName, String description, ToDoubleFunction<EventLogMetrics> value) {
    this.meterName = meterName;
    this.description = description;
    this.value = value;
  }

  /** The name of the meter. */
  public String meterName() {
    return meterName;
  }

  /** What it shows. */
  public String description() {
    return description;
  }

  /** Its value among these counters. */
  public double value(EventLogMetrics metrics) {
    return value.applyAsDouble(metrics);
  }
}
