package eventbus.spring.boot;

import eventbus.EventBus;
import eventbus.EventBusBuilder;
import eventbus.EventBusSchema;
import holdfast.problems.Problems;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Names all that is wrong with the properties, by their keys. Confined to one call. */
final class PropertyChecks {
  private static final int MAX_NAME = 128;
  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final Duration MOST_DRIFT = Duration.ofSeconds(1);

  private final Problems problems = new Problems("properties of the event bus");

  private PropertyChecks() {}

  /**
   * Checks every property.
   *
   * @throws IllegalArgumentException if any is out of range, naming all of them
   */
  static void check(EventBusProperties properties, DataSource dataSource) {
    PropertyChecks checks = new PropertyChecks();
    checks.checkNumbers(properties);
    checks.checkTimes(properties);
    checks.checkClaims(properties);
    checks.checkNames(properties, EventBus.builder(dataSource));
    checks.problems.throwIfAny();
  }

  private void checkNumbers(EventBusProperties p) {
    atLeastOne("workers", p.getWorkers());
    atLeastOne("batch-size", p.getBatchSize());
    atLeastOne("max-lapses", p.getMaxLapses());
    atLeastOne("max-payload-bytes", p.getMaxPayloadBytes());
    atLeastOne("retry.max-attempts", p.getRetry().getMaxAttempts());
    p.getConcurrency().forEach((type, most) -> atLeastOne("concurrency." + type, most));
  }

  private void checkTimes(EventBusProperties p) {
    positive("max-queue-wait", p.getMaxQueueWait());
    positive("idle-pause", p.getIdlePause());
    positive("retry.base-delay", p.getRetry().getBaseDelay());
    positive("metrics.books-max-age", p.getMetrics().getBooksMaxAge());
    notNegative("close-timeout", p.getCloseTimeout());
    notNegative("health.max-lag", p.getHealth().getMaxLag());
    notNegative("retention", p.getRetention());
    notNegative("failed-retention", p.getFailedRetention());
    Duration base = p.getRetry().getBaseDelay();
    Duration most = p.getRetry().getMaxDelay();
    require(
        most.compareTo(base) >= 0,
        "retry.max-delay",
        "be retry.base-delay, " + base + ", or more",
        most);
    notTooLong("retry.max-delay", most);
  }

  /** A claim must outlast two heartbeats, and what clocks may run apart meanwhile. */
  private void checkClaims(EventBusProperties p) {
    Duration timeout = p.getAbandonmentTimeout();
    Duration heartbeat = p.getHeartbeat();
    boolean canCompare = positive("abandonment-timeout", timeout);
    if (heartbeat == null || !positive("heartbeat", heartbeat) || !canCompare) {
      return;
    }
    Duration tenth = timeout.dividedBy(10);
    Duration drift = tenth.compareTo(MOST_DRIFT) < 0 ? tenth : MOST_DRIFT;
    Duration least = heartbeat.multipliedBy(2).plus(drift);
    require(
        timeout.compareTo(least) > 0,
        "abandonment-timeout",
        "be more than " + least + " (twice heartbeat plus " + drift + " for clocks)",
        timeout);
  }

  private void checkNames(EventBusProperties p, EventBusBuilder draft) {
    String name = p.getName();
    require(
        name == null || (!name.isBlank() && name.length() <= MAX_NAME),
        "name",
        "have 1 to " + MAX_NAME + " characters",
        name);
    String events = p.getEventsTable();
    table("events-table", () -> draft.tables(events, EventBusSchema.DEFAULT_LOG_TABLE));
    String log = p.getLogTable();
    table("log-table", () -> draft.tables(EventBusSchema.DEFAULT_EVENTS_TABLE, log));
    require(!events.equalsIgnoreCase(log), "log-table", "be another table than events-table", log);
  }

  private void table(String key, Runnable setting) {
    try {
      setting.run();
    } catch (IllegalArgumentException e) {
      problems.add("eventbus." + key + ": " + e.getMessage());
    }
  }

  private void atLeastOne(String key, int actual) {
    require(actual >= 1, key, "be 1 or more", actual);
  }

  private boolean positive(String key, Duration actual) {
    boolean holds = !actual.isNegative() && !actual.isZero();
    require(holds, key, "be more than zero", actual);
    return notTooLong(key, actual) && holds;
  }

  private void notNegative(String key, @Nullable Duration actual) {
    if (actual != null) {
      require(!actual.isNegative(), key, "be zero or more", actual);
      notTooLong(key, actual);
    }
  }

  /** Longer times cannot be counted in nanoseconds, or lie before what databases know. */
  private boolean notTooLong(String key, Duration actual) {
    boolean holds = actual.compareTo(LONGEST) <= 0;
    require(holds, key, "be a century or less", actual);
    return holds;
  }

  private void require(boolean holds, String key, String rule, @Nullable Object actual) {
    problems.require(holds, "eventbus." + key, rule, actual);
  }
}
