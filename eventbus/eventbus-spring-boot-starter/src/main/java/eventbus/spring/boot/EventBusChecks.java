package eventbus.spring.boot;

import eventbus.EventBus;
import eventbus.EventBusBuilder;
import eventbus.EventBusSchema;
import holdfast.spring.boot.PropertyChecks;
import java.time.Duration;
import javax.sql.DataSource;

/** Names all that is wrong with the properties, by their keys. Confined to one call. */
final class EventBusChecks {
  private static final int MAX_NAME = 128;
  private static final Duration MOST_DRIFT = Duration.ofSeconds(1);

  private final PropertyChecks checks = new PropertyChecks("the event bus", "eventbus");

  private EventBusChecks() {}

  /**
   * Checks every property.
   *
   * @throws holdfast.spring.boot.StartException if any is out of range, naming all of them
   */
  static void check(EventBusProperties properties, DataSource dataSource) {
    EventBusChecks own = new EventBusChecks();
    own.checkNumbers(properties);
    own.checkTimes(properties);
    own.checkClaims(properties);
    own.checkNames(properties, EventBus.builder(dataSource));
    own.checks.throwIfAny();
  }

  private void checkNumbers(EventBusProperties p) {
    checks.atLeast("workers", 1, p.getWorkers());
    checks.atLeast("batch-size", 1, p.getBatchSize());
    checks.atLeast("max-in-flight-bytes", 1, p.getMaxInFlightBytes());
    checks.atLeast("max-lapses", 1, p.getMaxLapses());
    checks.atLeast("max-payload-bytes", 1, p.getMaxPayloadBytes());
    Integer maxAttempts = p.getRetry().getMaxAttempts();
    if (maxAttempts != null) {
      checks.atLeast("retry.max-attempts", 1, maxAttempts);
    }
    p.getConcurrency().forEach((type, most) -> checks.atLeast("concurrency." + type, 1, most));
  }

  private void checkTimes(EventBusProperties p) {
    if (p.getHandlerTimeout() != null) {
      checks.positive("handler-timeout", p.getHandlerTimeout());
    }
    p.getHandlerTimeouts().forEach((type, t) -> checks.positive("handler-timeouts." + type, t));
    checks.positive("max-queue-wait", p.getMaxQueueWait());
    checks.positive("poll-interval", p.getPollInterval());
    checks.positive("retry-for", p.getRetryFor());
    checks.positive("retry.base-delay", p.getRetry().getBaseDelay());
    checks.positive("metrics.ledger-max-age", p.getMetrics().getLedgerMaxAge());
    checks.notNegative("close-timeout", p.getCloseTimeout());
    checks.notNegative("health.max-lag", p.getHealth().getMaxLag());
    checks.notNegative("retention", p.getRetention());
    checks.notNegative("failed-retention", p.getFailedRetention());
    Duration base = p.getRetry().getBaseDelay();
    Duration most = p.getRetry().getMaxDelay();
    checks.require(
        most.compareTo(base) >= 0,
        "retry.max-delay",
        "be retry.base-delay, " + base + ", or more",
        most);
    checks.notTooLong("retry.max-delay", most);
  }

  /** A claim must outlast two heartbeats, and what clocks may run apart meanwhile. */
  private void checkClaims(EventBusProperties p) {
    Duration timeout = p.getAbandonmentTimeout();
    Duration heartbeat = p.getHeartbeat();
    boolean canCompare = checks.positive("abandonment-timeout", timeout);
    if (heartbeat == null || !checks.positive("heartbeat", heartbeat) || !canCompare) {
      return;
    }
    Duration tenth = timeout.dividedBy(10);
    Duration drift = tenth.compareTo(MOST_DRIFT) < 0 ? tenth : MOST_DRIFT;
    Duration least = heartbeat.multipliedBy(2).plus(drift);
    checks.require(
        timeout.compareTo(least) > 0,
        "abandonment-timeout",
        "be more than " + least + " (twice heartbeat plus " + drift + " for clocks)",
        timeout);
  }

  private void checkNames(EventBusProperties p, EventBusBuilder draft) {
    checks.name("name", MAX_NAME, p.getName());
    String events = p.getEventsTable();
    checks.accepted("events-table", () -> draft.tables(events, EventBusSchema.DEFAULT_LOG_TABLE));
    String log = p.getLogTable();
    checks.accepted("log-table", () -> draft.tables(EventBusSchema.DEFAULT_EVENTS_TABLE, log));
    checks.require(
        !events.equalsIgnoreCase(log), "log-table", "be another table than events-table", log);
  }
}
