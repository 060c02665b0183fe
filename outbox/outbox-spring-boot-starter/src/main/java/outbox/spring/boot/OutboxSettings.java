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
import outbox.jdbc.JdbcOutboxRepository;

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
            .table(properties.table())
            .onDead(properties.onDead())
            .lease(lease(properties))
            .retryFor(properties.retryFor())
            .unhandled(unhandled(properties.unhandled()))
            .wakeUp(properties.wakeUp() ? WakeUp.ON : WakeUp.OFF)
            .workers(properties.workers())
            .hotQueueCapacity(properties.hotQueueCapacity())
            .coldQueueCapacity(properties.coldQueueCapacity())
            .maxInFlightBytes(properties.maxInFlightBytes())
            .maxLapses(properties.maxLapses())
            .closeTimeout(properties.closeTimeout())
            .pollerEnabled(properties.pollerEnabled())
            .pollInterval(properties.pollInterval())
            .pollSkipRecent(properties.pollSkipRecent())
            .batchSize(properties.batchSize());
    if (properties.dialect() != null) {
      builder.dialect(properties.dialect());
    }
    retries(builder, properties, retryPolicy);
    if (properties.listenerTimeout() != null) {
      builder.listenerTimeout(properties.listenerTimeout());
    }
    properties.listenerTimeouts().forEach(builder::listenerTimeout);
    properties.concurrency().forEach(builder::concurrency);
    if (properties.publishOnly()) {
      builder.publishOnly();
    }
    if (properties.retention() != null) {
      builder.retention(properties.retention());
    }
    if (SchemaCreation.isWanted(properties.initializeSchema(), dataSource)) {
      builder.createTables();
    }
    return builder;
  }

  private static LeaseSettings lease(OutboxProperties properties) {
    OutboxProperties.Lease lease = properties.lease();
    String node = properties.node();
    return new LeaseSettings(
        node == null ? "node-" + UlidGenerator.shared().next() : node,
        lease.length(),
        lease.renewEvery(),
        lease.drift(),
        lease.maxQueueWait());
  }

  /**
   * Delays that nobody has set are left to the builder, which has shorter ones for plain tables.
   */
  private static void retries(
      JdbcOutboxBuilder builder, OutboxProperties properties, @Nullable RetryPolicy policy) {
    Integer maxAttempts = properties.retryMaxAttempts();
    if (maxAttempts != null) {
      builder.maxAttempts(maxAttempts);
    }
    Duration base = properties.retryBaseDelay();
    Duration most = properties.retryMaxDelay();
    if (policy != null) {
      builder.retryPolicy(policy);
    } else if (base.toMillis() != ExponentialBackoffRetryPolicy.DEFAULT_BASE_DELAY_MS
        || most.toMillis() != ExponentialBackoffRetryPolicy.LONG_MAX_DELAY_MS) {
      builder.retryPolicy(new ExponentialBackoffRetryPolicy(base.toMillis(), most.toMillis()));
    }
  }

  private static UnhandledPolicy unhandled(OutboxProperties.Unhandled unhandled) {
    return new UnhandledPolicy(unhandled.delay(), unhandled.deadAfter(), unhandled.done());
  }

  private static void check(OutboxProperties p, JdbcOutboxBuilder draft) {
    PropertyChecks checks = new PropertyChecks("the outbox", "outbox");
    checks.accepted("table", () -> new JdbcOutboxRepository(p.table()));
    String dialect = p.dialect();
    if (dialect != null) {
      checks.accepted("dialect", () -> draft.dialect(dialect));
    }
    checks.atLeast("workers", 1, p.workers());
    p.concurrency().forEach((type, most) -> checks.atLeast("concurrency." + type, 1, most));
    checks.atLeast("hot-queue-capacity", 1, p.hotQueueCapacity());
    checks.atLeast("cold-queue-capacity", 1, p.coldQueueCapacity());
    checks.atLeast("max-in-flight-bytes", 1, p.maxInFlightBytes());
    checkTimeouts(checks, p);
    checks.atLeastOneMilli("poll-interval", p.pollInterval());
    checks.atLeast("batch-size", 1, p.batchSize());
    checks.notNegative("poll-skip-recent", p.pollSkipRecent());
    if (checks.atLeastOneMilli("retry-base-delay", p.retryBaseDelay())
        && checks.notTooLong("retry-max-delay", p.retryMaxDelay())) {
      checks.require(
          p.retryMaxDelay().compareTo(p.retryBaseDelay()) >= 0,
          "retry-max-delay",
          "be " + p.retryBaseDelay() + " (retry-base-delay) or more",
          p.retryMaxDelay());
    }
    checks.atLeastOneMilli("retry-for", p.retryFor());
    Integer maxAttempts = p.retryMaxAttempts();
    if (maxAttempts != null) {
      checks.atLeast("retry-max-attempts", 1, maxAttempts);
    }
    checks.atLeast("max-lapses", 1, p.maxLapses());
    checks.notNegative("close-timeout", p.closeTimeout());
    checks.notNegative("unhandled.delay", p.unhandled().delay());
    checks.notNegative("unhandled.dead-after", p.unhandled().deadAfter());
    checks.notNegative("health.max-backlog-age", p.health().maxBacklogAge());
    checks.positive("metrics.ledger-max-age", p.metrics().ledgerMaxAge());
    checks.notNegative("retention", p.retention());
    checkLease(checks, p.lease());
    checks.name("node", MAX_NODE, p.node());
    checks.throwIfAny();
  }

  private static void checkTimeouts(PropertyChecks checks, OutboxProperties p) {
    if (p.listenerTimeout() != null) {
      checks.positive("listener-timeout", p.listenerTimeout());
    }
    p.listenerTimeouts().forEach((type, t) -> checks.positive("listener-timeouts." + type, t));
  }

  /** A lease must outlast two renewals, and what clocks may run apart meanwhile. */
  private static void checkLease(PropertyChecks checks, OutboxProperties.Lease lease) {
    boolean canCompare = checks.positive("lease.renew-every", lease.renewEvery());
    canCompare &= checks.notNegative("lease.drift", lease.drift());
    canCompare &= checks.notTooLong("lease.length", lease.length());
    checks.positive("lease.max-queue-wait", lease.maxQueueWait());
    if (canCompare) {
      Duration least = lease.renewEvery().multipliedBy(2).plus(lease.drift());
      checks.require(
          lease.length().compareTo(least) > 0,
          "lease.length",
          "be more than " + least + " (twice renew-every plus drift)",
          lease.length());
    }
  }
}
