package outbox.spring.boot;

import holdfast.id.UlidGenerator;
import holdfast.jdbc.WakeUp;
import holdfast.spring.boot.PropertyChecks;
import holdfast.spring.boot.SchemaCreation;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.LeaseSettings;
import outbox.dispatch.RetryPolicy;
import outbox.dispatch.UnhandledPolicy;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcOutboxBuilder;

/** Turns properties into an outbox's settings, or names all that is wrong with them. Stateless. */
final class OutboxSettings {
  private static final int MAX_NODE = 128;

  private OutboxSettings() {}

  /**
   * A builder with all properties applied.
   *
   * @throws holdfast.spring.boot.StartException if any is out of range, naming all of them
   */
  static JdbcOutboxBuilder builder(
      DataSource dataSource, OutboxProperties properties, @Nullable RetryPolicy retryPolicy) {
    check(properties, JdbcOutbox.builder(dataSource));
    JdbcOutboxBuilder builder =
        JdbcOutbox.builder(dataSource)
            .table(properties.getTable())
            .onDead(properties.getOnDead())
            .lease(lease(properties))
            .retryFor(properties.getRetryFor())
            .unhandled(unhandled(properties.getUnhandled()))
            .wakeUp(properties.isWakeUp() ? WakeUp.ON : WakeUp.OFF)
            .workers(properties.getWorkers())
            .hotQueueCapacity(properties.getHotQueueCapacity())
            .coldQueueCapacity(properties.getColdQueueCapacity())
            .maxInFlightBytes(properties.getMaxInFlightBytes())
            .maxLapses(properties.getMaxLapses())
            .closeTimeout(properties.getCloseTimeout())
            .pollerEnabled(properties.isPollerEnabled())
            .pollInterval(properties.getPollInterval())
            .pollSkipRecent(properties.getPollSkipRecent())
            .batchSize(properties.getBatchSize());
    if (properties.getDialect() != null) {
      builder.dialect(properties.getDialect());
    }
    retries(builder, properties, retryPolicy);
    if (properties.getListenerTimeout() != null) {
      builder.listenerTimeout(properties.getListenerTimeout());
    }
    properties.getListenerTimeouts().forEach(builder::listenerTimeout);
    properties.getConcurrency().forEach(builder::concurrency);
    if (properties.isPublishOnly()) {
      builder.publishOnly();
    }
    if (properties.getRetention() != null) {
      builder.retention(properties.getRetention());
    }
    if (SchemaCreation.isWanted(properties.getInitializeSchema(), dataSource)) {
      builder.createTables();
    }
    return builder;
  }

  private static LeaseSettings lease(OutboxProperties properties) {
    LeaseProperties lease = properties.getLease();
    String node = properties.getNode();
    return new LeaseSettings(
        node == null ? "node-" + UlidGenerator.shared().next() : node,
        lease.getLength(),
        lease.getRenewEvery(),
        lease.getDrift(),
        lease.getMaxQueueWait());
  }

  /**
   * Delays that nobody has set are left to the builder, which has shorter ones for plain tables.
   */
  private static void retries(
      JdbcOutboxBuilder builder, OutboxProperties properties, @Nullable RetryPolicy policy) {
    Integer maxAttempts = properties.getRetryMaxAttempts();
    if (maxAttempts != null) {
      builder.maxAttempts(maxAttempts);
    }
    OutboxProperties unset = new OutboxProperties();
    Duration base = properties.getRetryBaseDelay();
    Duration most = properties.getRetryMaxDelay();
    if (policy != null) {
      builder.retryPolicy(policy);
    } else if (!base.equals(unset.getRetryBaseDelay()) || !most.equals(unset.getRetryMaxDelay())) {
      builder.retryPolicy(new ExponentialBackoffRetryPolicy(base.toMillis(), most.toMillis()));
    }
  }

  private static UnhandledPolicy unhandled(UnhandledProperties unhandled) {
    return new UnhandledPolicy(unhandled.getDelay(), unhandled.getDeadAfter(), unhandled.isDone());
  }

  private static void check(OutboxProperties p, JdbcOutboxBuilder draft) {
    PropertyChecks checks = new PropertyChecks("the outbox", "outbox");
    checks.accepted("table", () -> draft.table(p.getTable()));
    String dialect = p.getDialect();
    if (dialect != null) {
      checks.accepted("dialect", () -> draft.dialect(dialect));
    }
    checks.atLeast("workers", 1, p.getWorkers());
    p.getConcurrency().forEach((type, most) -> checks.atLeast("concurrency." + type, 1, most));
    checks.atLeast("hot-queue-capacity", 1, p.getHotQueueCapacity());
    checks.atLeast("cold-queue-capacity", 1, p.getColdQueueCapacity());
    checks.atLeast("max-in-flight-bytes", 1, p.getMaxInFlightBytes());
    checkTimeouts(checks, p);
    checks.atLeastOneMilli("poll-interval", p.getPollInterval());
    checks.atLeast("batch-size", 1, p.getBatchSize());
    checks.notNegative("poll-skip-recent", p.getPollSkipRecent());
    if (checks.atLeastOneMilli("retry-base-delay", p.getRetryBaseDelay())
        && checks.notTooLong("retry-max-delay", p.getRetryMaxDelay())) {
      checks.require(
          p.getRetryMaxDelay().compareTo(p.getRetryBaseDelay()) >= 0,
          "retry-max-delay",
          "be " + p.getRetryBaseDelay() + " (retry-base-delay) or more",
          p.getRetryMaxDelay());
    }
    checks.atLeastOneMilli("retry-for", p.getRetryFor());
    Integer maxAttempts = p.getRetryMaxAttempts();
    if (maxAttempts != null) {
      checks.atLeast("retry-max-attempts", 1, maxAttempts);
    }
    checks.atLeast("max-lapses", 1, p.getMaxLapses());
    checks.notNegative("close-timeout", p.getCloseTimeout());
    checks.notNegative("unhandled.delay", p.getUnhandled().getDelay());
    checks.notNegative("unhandled.dead-after", p.getUnhandled().getDeadAfter());
    checks.notNegative("health.max-backlog-age", p.getHealth().getMaxBacklogAge());
    checks.positive("metrics.ledger-max-age", p.getMetrics().getLedgerMaxAge());
    checks.notNegative("retention", p.getRetention());
    checkLease(checks, p.getLease());
    checks.name("node", MAX_NODE, p.getNode());
    checks.throwIfAny();
  }

  /** A lease must outlast two renewals, and what clocks may run apart meanwhile. */
  private static void checkTimeouts(PropertyChecks checks, OutboxProperties p) {
    if (p.getListenerTimeout() != null) {
      checks.positive("listener-timeout", p.getListenerTimeout());
    }
    p.getListenerTimeouts().forEach((type, t) -> checks.positive("listener-timeouts." + type, t));
  }

  private static void checkLease(PropertyChecks checks, LeaseProperties lease) {
    boolean canCompare = checks.positive("lease.renew-every", lease.getRenewEvery());
    canCompare &= checks.notNegative("lease.drift", lease.getDrift());
    canCompare &= checks.notTooLong("lease.length", lease.getLength());
    checks.positive("lease.max-queue-wait", lease.getMaxQueueWait());
    if (canCompare) {
      Duration least = lease.getRenewEvery().multipliedBy(2).plus(lease.getDrift());
      checks.require(
          lease.getLength().compareTo(least) > 0,
          "lease.length",
          "be more than " + least + " (twice renew-every plus drift)",
          lease.getLength());
    }
  }
}
