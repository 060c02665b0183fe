package outbox.spring.boot;

import holdfast.id.UlidGenerator;
import holdfast.problems.Problems;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
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
   * @throws IllegalArgumentException if any is out of range, naming all of them
   */
  static JdbcOutboxBuilder builder(
      DataSource dataSource, OutboxProperties properties, @Nullable RetryPolicy retryPolicy) {
    check(properties);
    JdbcOutboxBuilder builder =
        JdbcOutbox.builder(dataSource)
            .table(properties.getTable())
            .onDead(properties.getOnDead())
            .lease(lease(properties))
            .retryPolicy(retryPolicy == null ? backoff(properties) : retryPolicy)
            .unhandled(unhandled(properties.getUnhandled()))
            .workers(properties.getDispatcherWorkers())
            .hotQueueCapacity(properties.getHotQueueCapacity())
            .coldQueueCapacity(properties.getColdQueueCapacity())
            .maxAttempts(properties.getRetryMaxAttempts())
            .drainTimeout(properties.getDrainTimeout())
            .pollInterval(Duration.ofMillis(properties.getPollerIntervalMs()))
            .pollSkipRecent(Duration.ofMillis(properties.getPollerSkipRecentMs()))
            .pollBatchSize(properties.getPollerBatchSize());
    if (properties.getDialect() != null) {
      builder.dialect(properties.getDialect());
    }
    if (properties.isPublishOnly()) {
      builder.publishOnly();
    }
    if (properties.getRetention() != null) {
      builder.retention(properties.getRetention());
    }
    if (createsTables(dataSource, properties)) {
      builder.createTables();
    }
    return builder;
  }

  private static boolean createsTables(DataSource dataSource, OutboxProperties properties) {
    return switch (properties.getInitializeSchema()) {
      case ALWAYS -> true;
      case NEVER -> false;
      case EMBEDDED -> EmbeddedDatabaseConnection.isEmbedded(dataSource);
    };
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

  private static RetryPolicy backoff(OutboxProperties properties) {
    return new ExponentialBackoffRetryPolicy(
        properties.getRetryBaseDelayMs(), properties.getRetryMaxDelayMs());
  }

  private static UnhandledPolicy unhandled(UnhandledProperties unhandled) {
    return new UnhandledPolicy(unhandled.getDelay(), unhandled.getDeadAfter(), unhandled.isDone());
  }

  private static void check(OutboxProperties p) {
    Problems problems = new Problems("properties of the outbox");
    atLeast(problems, 1, "dispatcher-workers", p.getDispatcherWorkers());
    atLeast(problems, 1, "hot-queue-capacity", p.getHotQueueCapacity());
    atLeast(problems, 1, "cold-queue-capacity", p.getColdQueueCapacity());
    atLeast(problems, 1, "poller-interval-ms", p.getPollerIntervalMs());
    atLeast(problems, 1, "poller-batch-size", p.getPollerBatchSize());
    atLeast(problems, 0, "poller-skip-recent-ms", p.getPollerSkipRecentMs());
    atLeast(problems, 1, "retry-base-delay-ms", p.getRetryBaseDelayMs());
    atLeast(problems, p.getRetryBaseDelayMs(), "retry-max-delay-ms", p.getRetryMaxDelayMs());
    atLeast(problems, 1, "retry-max-attempts", p.getRetryMaxAttempts());
    notNegative(problems, "drain-timeout", p.getDrainTimeout());
    notNegative(problems, "unhandled.delay", p.getUnhandled().getDelay());
    notNegative(problems, "unhandled.dead-after", p.getUnhandled().getDeadAfter());
    notNegative(problems, "health.max-backlog-age", p.getHealth().getMaxBacklogAge());
    positive(problems, "metrics.books-max-age", p.getMetrics().getBooksMaxAge());
    if (p.getRetention() != null) {
      notNegative(problems, "retention", p.getRetention());
    }
    checkLease(problems, p.getLease());
    String node = p.getNode();
    problems.require(
        node == null || (!node.isBlank() && node.length() <= MAX_NODE),
        "outbox.node",
        "have 1 to " + MAX_NODE + " characters",
        node);
    problems.throwIfAny();
  }

  private static void checkLease(Problems problems, LeaseProperties lease) {
    positive(problems, "lease.renew-every", lease.getRenewEvery());
    positive(problems, "lease.max-queue-wait", lease.getMaxQueueWait());
    notNegative(problems, "lease.drift", lease.getDrift());
    Duration least = lease.getRenewEvery().multipliedBy(2).plus(lease.getDrift());
    problems.require(
        lease.getLength().compareTo(least) > 0,
        "outbox.lease.length",
        "be more than " + least + " (twice renew-every plus drift)",
        lease.getLength());
  }

  private static void atLeast(Problems problems, long least, String name, long actual) {
    problems.require(actual >= least, "outbox." + name, "be " + least + " or more", actual);
  }

  private static void notNegative(Problems problems, String name, Duration actual) {
    problems.require(!actual.isNegative(), "outbox." + name, "be zero or more", actual);
  }

  private static void positive(Problems problems, String name, Duration actual) {
    boolean holds = !actual.isNegative() && !actual.isZero();
    problems.require(holds, "outbox." + name, "be more than zero", actual);
  }
}
