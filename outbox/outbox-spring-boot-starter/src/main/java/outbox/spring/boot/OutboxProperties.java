package outbox.spring.boot;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import outbox.jdbc.OnDead;

/**
 * What can be set under {@code outbox}. The descriptions and defaults are what editors show.
 * Immutable.
 *
 * @param enabled Whether there is an outbox at all.
 * @param publishOnly Whether this node publishes only, and leaves delivery to others.
 * @param wakeUp Whether nodes wake each other when they publish, on PostgreSQL.
 * @param table The table, table or schema.table.
 * @param dialect The database's dialect by its name; asked of the database unless set.
 * @param initializeSchema When to create the tables that are missing.
 * @param node The node's name, unique among all nodes; made up at each start unless set.
 * @param workers How many events are delivered at the same time.
 * @param concurrency How many events of a type are delivered at the same time, by type; no limit
 *     unless set.
 * @param hotQueueCapacity How many published events may wait.
 * @param coldQueueCapacity How many polled events may wait.
 * @param maxInFlightBytes How many bytes the events in flight may have in all; one is always
 *     delivered.
 * @param listenerTimeout How long a listener may run before it is interrupted; no limit unless set.
 * @param listenerTimeouts How long listeners of a type may run, by type.
 * @param pollerEnabled Whether this node polls the table; without it nothing is retried on this
 *     node.
 * @param pollInterval How often the table is polled at least.
 * @param batchSize How many events are claimed per poll.
 * @param pollSkipRecent How long a new event must have been due before it is claimed, by the
 *     database's clock; zero, since leases protect new ones.
 * @param retryBaseDelay The delay after the first failure.
 * @param retryMaxDelay The longest delay.
 * @param retryFor How long after its first failed delivery an event is dead.
 * @param retryMaxAttempts How many deliveries may fail before an event is dead; no limit unless
 *     set.
 * @param maxLapses How many nodes may die while they deliver an event before it is dead.
 * @param onDead What a dead event does to the ordered events after it.
 * @param closeTimeout The time for closing.
 * @param retention How long DONE events are kept before they are purged; they are kept for ever
 *     unless set.
 * @param lease how this node holds events
 * @param unhandled what happens to events nobody listens to
 * @param health when the health is down
 * @param metrics how meters are read
 */
@ConfigurationProperties("outbox")
record OutboxProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("false") boolean publishOnly,
    @DefaultValue("true") boolean wakeUp,
    @DefaultValue("outbox_event") String table,
    @Nullable String dialect,
    @DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
    @Nullable String node,
    @DefaultValue("4") int workers,
    @DefaultValue Map<String, Integer> concurrency,
    @DefaultValue("1000") int hotQueueCapacity,
    @DefaultValue("1000") int coldQueueCapacity,
    @DefaultValue("16777216") long maxInFlightBytes,
    @Nullable Duration listenerTimeout,
    @DefaultValue Map<String, Duration> listenerTimeouts,
    @DefaultValue("true") boolean pollerEnabled,
    @DefaultValue("5s") Duration pollInterval,
    @DefaultValue("200") int batchSize,
    @DefaultValue("0s") Duration pollSkipRecent,
    @DefaultValue("200ms") Duration retryBaseDelay,
    @DefaultValue("10m") Duration retryMaxDelay,
    @DefaultValue("24h") Duration retryFor,
    @Nullable Integer retryMaxAttempts,
    @DefaultValue("10") int maxLapses,
    @DefaultValue("block") OnDead onDead,
    @DefaultValue("10s") Duration closeTimeout,
    @Nullable Duration retention,
    @DefaultValue Lease lease,
    @DefaultValue Unhandled unhandled,
    @DefaultValue Health health,
    @DefaultValue Metrics metrics) {

  /**
   * What can be set under {@code outbox.lease}. Immutable.
   *
   * @param length How long a lease lasts unless renewed.
   * @param renewEvery How often leases are renewed.
   * @param drift How far the node's and the database's clock may run apart in one lease.
   * @param maxQueueWait How long an event may wait in a queue before it is released.
   */
  record Lease(
      @DefaultValue("15s") Duration length,
      @DefaultValue("5s") Duration renewEvery,
      @DefaultValue("1s") Duration drift,
      @DefaultValue("1m") Duration maxQueueWait) {}

  /**
   * What can be set under {@code outbox.unhandled}. Immutable.
   *
   * @param delay How long an event nobody here listens to is left to other nodes.
   * @param deadAfter How long no node may have listened before the event is dead.
   * @param done Whether an event nobody listens to is done at once instead.
   */
  record Unhandled(
      @DefaultValue("30s") Duration delay,
      @DefaultValue("1h") Duration deadAfter,
      @DefaultValue("false") boolean done) {}

  /**
   * What can be set under {@code outbox.health}. Immutable.
   *
   * @param maxBacklogAge How long an event may be overdue, in flight on no node, before the health
   *     is down.
   */
  record Health(@DefaultValue("5m") Duration maxBacklogAge) {}

  /**
   * What can be set under {@code outbox.metrics}. Immutable.
   *
   * @param ledgerMaxAge How old the numbers of the ledger's meters may be; reading them counts the
   *     rows of the table.
   */
  record Metrics(@DefaultValue("1m") Duration ledgerMaxAge) {}
}
