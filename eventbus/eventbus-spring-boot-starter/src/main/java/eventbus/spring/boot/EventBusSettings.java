package eventbus.spring.boot;

import eventbus.EventBus;
import eventbus.EventBusBuilder;
import eventbus.EventBusSchema;
import eventbus.RetryPolicy;
import holdfast.jdbc.WakeUp;
import holdfast.spring.boot.PropertyChecks;
import holdfast.spring.boot.SchemaCreation;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Turns properties into the settings of a bus, or names all that is wrong with them. Stateless. */
final class EventBusSettings {
  private static final int MAX_NAME = 128;
  private static final Duration MOST_DRIFT = Duration.ofSeconds(1);

  private EventBusSettings() {}

  /**
   * A builder with all properties applied.
   *
   * @throws holdfast.spring.boot.StartException if any is out of range, naming all of them
   */
  static EventBusBuilder builder(
      DataSource dataSource, EventBusProperties properties, @Nullable RetryPolicy retryPolicy) {
    check(properties, EventBus.builder(dataSource));
    EventBusBuilder builder =
        EventBus.builder(dataSource)
            .tables(properties.eventsTable(), properties.logTable())
            .wakeUp(properties.wakeUp() ? WakeUp.ON : WakeUp.OFF)
            .workers(properties.workers())
            .batchSize(properties.batchSize())
            .maxInFlightBytes(properties.maxInFlightBytes())
            .abandonmentTimeout(properties.abandonmentTimeout())
            .maxQueueWait(properties.maxQueueWait())
            .pollInterval(properties.pollInterval())
            .retryPolicy(retryPolicy == null ? backoff(properties.retry()) : retryPolicy)
            .retryFor(properties.retryFor())
            .maxLapses(properties.maxLapses())
            .maxPayloadBytes(properties.maxPayloadBytes())
            .closeTimeout(properties.closeTimeout())
            .requireTables();
    properties.concurrency().forEach(builder::concurrency);
    Duration handlerTimeout = properties.handlerTimeout();
    if (handlerTimeout != null) {
      builder.handlerTimeout(handlerTimeout);
    }
    properties.handlerTimeouts().forEach(builder::handlerTimeout);
    if (SchemaCreation.isWanted(properties.initializeSchema(), dataSource)) {
      builder.createTables();
    }
    if (properties.publishOnly()) {
      builder.publishOnly();
    }
    String name = properties.name();
    if (name != null) {
      builder.name(name);
    }
    Duration heartbeat = properties.heartbeat();
    if (heartbeat != null) {
      builder.heartbeat(heartbeat);
    }
    retention(builder, properties);
    return builder;
  }

  private static void retention(EventBusBuilder builder, EventBusProperties properties) {
    Duration keepCompleted = properties.retention();
    if (keepCompleted != null) {
      builder.retention(keepCompleted);
    }
    Duration keepFailed = properties.failedRetention();
    if (keepFailed != null) {
      builder.failedRetention(keepFailed);
    }
  }

  private static RetryPolicy backoff(EventBusProperties.Retry retry) {
    Integer most = retry.maxAttempts();
    return most == null
        ? RetryPolicy.backoff(retry.baseDelay(), retry.maxDelay())
        : RetryPolicy.backoff(most, retry.baseDelay(), retry.maxDelay());
  }

  private static void check(EventBusProperties properties, EventBusBuilder draft) {
    PropertyChecks checks = new PropertyChecks("the event bus", "eventbus");
    checkNumbers(checks, properties);
    checkTimes(checks, properties);
    checkClaims(checks, properties);
    checkNames(checks, properties, draft);
    checks.throwIfAny();
  }

  private static void checkNumbers(PropertyChecks checks, EventBusProperties p) {
    checks.atLeast("workers", 1, p.workers());
    checks.atLeast("batch-size", 1, p.batchSize());
    checks.atLeast("max-in-flight-bytes", 1, p.maxInFlightBytes());
    checks.atLeast("max-lapses", 1, p.maxLapses());
    checks.atLeast("max-payload-bytes", 1, p.maxPayloadBytes());
    Integer maxAttempts = p.retry().maxAttempts();
    if (maxAttempts != null) {
      checks.atLeast("retry.max-attempts", 1, maxAttempts);
    }
    p.concurrency().forEach((type, most) -> checks.atLeast("concurrency." + type, 1, most));
  }

  private static void checkTimes(PropertyChecks checks, EventBusProperties p) {
    if (p.handlerTimeout() != null) {
      checks.positive("handler-timeout", p.handlerTimeout());
    }
    p.handlerTimeouts().forEach((type, t) -> checks.positive("handler-timeouts." + type, t));
    checks.positive("max-queue-wait", p.maxQueueWait());
    checks.positive("poll-interval", p.pollInterval());
    checks.positive("retry-for", p.retryFor());
    checks.positive("retry.base-delay", p.retry().baseDelay());
    checks.positive("metrics.ledger-max-age", p.metrics().ledgerMaxAge());
    checks.notNegative("close-timeout", p.closeTimeout());
    checks.notNegative("health.max-lag", p.health().maxLag());
    checks.notNegative("retention", p.retention());
    checks.notNegative("failed-retention", p.failedRetention());
    Duration base = p.retry().baseDelay();
    Duration most = p.retry().maxDelay();
    checks.require(
        most.compareTo(base) >= 0,
        "retry.max-delay",
        "be retry.base-delay, " + base + ", or more",
        most);
    checks.notTooLong("retry.max-delay", most);
  }

  /** A claim must outlast two heartbeats, and what clocks may run apart meanwhile. */
  private static void checkClaims(PropertyChecks checks, EventBusProperties p) {
    Duration timeout = p.abandonmentTimeout();
    Duration heartbeat = p.heartbeat();
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

  private static void checkNames(
      PropertyChecks checks, EventBusProperties p, EventBusBuilder draft) {
    checks.name("name", MAX_NAME, p.name());
    String events = p.eventsTable();
    checks.accepted("events-table", () -> draft.tables(events, EventBusSchema.DEFAULT_LOG_TABLE));
    String log = p.logTable();
    checks.accepted("log-table", () -> draft.tables(EventBusSchema.DEFAULT_EVENTS_TABLE, log));
    checks.require(
        !events.equalsIgnoreCase(log), "log-table", "be another table than events-table", log);
  }
}
