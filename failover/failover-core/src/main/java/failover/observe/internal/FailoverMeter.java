package failover.observe.internal;

import java.util.List;

/** The meters of the library. */
public enum FailoverMeter {
  /** Calls. */
  CALLS(
      "failover.call.total",
      "counter",
      "Calls by result, success or failover",
      "name",
      "domain",
      "result"),
  /** What callers got. */
  USER_IMPACT(
      "failover.user.impact.total",
      "counter",
      "Failed calls by impact, unblocked or blocked",
      "name",
      "domain",
      "impact"),
  /** Writes. */
  STORES("failover.store.total", "counter", "Answers handed to the store", "name", "stored"),
  /** How recoveries ended. */
  RECOVERY_OUTCOMES(
      "failover.recovery.outcome.total",
      "counter",
      "Recoveries by outcome: recovered, not_recovered or error",
      "name",
      "domain",
      "method",
      "outcome"),
  /** Incomplete recoveries. */
  PARTIAL_RECOVERIES(
      "failover.recovery.partial.total",
      "counter",
      "Recoveries with slices missing",
      "name",
      "method"),
  /** Failures of sources. */
  EXCEPTIONS(
      "failover.exception.total",
      "counter",
      "Failures of sources by type; kinds beyond the first four as others",
      "name",
      "exception_type",
      "cause_type",
      "final_cause_type"),
  /** Asynchronous writes that failed. */
  ASYNC_FAILURES(
      "failover.store.async.failed",
      "counter",
      "Asynchronous writes that failed or were dropped; kinds beyond the first two as others",
      "name",
      "operation",
      "exception_type"),
  /** Events that no publisher took. */
  DROPPED_EVENTS(
      "failover.metrics.dropped.total", "counter", "Events that a publisher did not take"),
  /** Stored answers that encryption cannot read. */
  UNREADABLE(
      "failover.store.unreadable.total",
      "counter",
      "Stored answers that could not be decrypted, by reason",
      "reason"),
  /** How long storing and recovering took. */
  OPERATION_DURATION(
      "failover.operation.duration", "timer", "Time of storing and recovering", "name", "action"),
  /** How long sources took. */
  UPSTREAM_DURATION("failover.upstream.duration", "timer", "Time of sources", "name", "result"),
  /** Health. */
  HEALTH(
      "failover.api.health",
      "gauge",
      "Share of the last 200 calls that got a value",
      "name",
      "domain"),
  /** Staleness. */
  STALE_RATIO(
      "failover.stale.served.ratio",
      "gauge",
      "Share of the last 200 calls that were served stale",
      "name",
      "domain"),
  /** Stored answers. */
  LIVE_ENTRIES("failover.live.entries", "gauge", "Stored answers", "name", "domain"),
  /** Points. */
  REGISTERED("failover.registered.total", "gauge", "Failover points"),
  /** Expiry. */
  EXPIRY("failover.config.expiry.seconds", "gauge", "Configured expiry", "name", "domain", "unit");

  private final String meterName;
  private final String kind;
  private final String description;

  @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of texts
  private final List<String> tags;

  FailoverMeter(String meterName, String kind, String description, String... tags) {
    this.meterName = meterName;
    this.kind = kind;
    this.description = description;
    this.tags = List.of(tags);
  }

  /** The name of the meter. */
  public String meterName() {
    return meterName;
  }

  /** Counter, timer or gauge. */
  public String kind() {
    return kind;
  }

  /** What it shows. */
  public String description() {
    return description;
  }

  /** Its tags, in order. */
  public List<String> tags() {
    return tags;
  }
}
