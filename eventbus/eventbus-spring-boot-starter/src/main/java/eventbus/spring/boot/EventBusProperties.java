package eventbus.spring.boot;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/**
 * What can be set under {@code eventbus}. The descriptions and defaults are what editors show.
 * Immutable.
 *
 * @param enabled Whether there is an event bus at all.
 * @param publishOnly Whether this node publishes only, and leaves the work to others.
 * @param wakeUp Whether nodes wake each other when they publish, on PostgreSQL.
 * @param initializeSchema When to create the tables that are missing.
 * @param eventsTable The table of events to be worked on, table or schema.table.
 * @param logTable The table of closed events, table or schema.table.
 * @param name The node's name, unique among all nodes; made up at each start unless set.
 * @param workers How many events are handled at the same time.
 * @param concurrency How many events of a type this node holds at the same time, by type; no limit
 *     unless set.
 * @param batchSize How many events are claimed at a time.
 * @param handlerTimeout How long the handlers of an event may run before they are interrupted; no
 *     limit unless set.
 * @param handlerTimeouts How long the handlers of events of a type may run, by type.
 * @param maxInFlightBytes How many bytes the events in flight may have in all; one is always
 *     handled.
 * @param abandonmentTimeout How long an event belongs to a worker without a sign of life.
 * @param heartbeat How often workers give signs of life; a fifth of the abandonment timeout unless
 *     set.
 * @param maxQueueWait How long an event may wait for a worker of its node before it is released.
 * @param pollInterval How long to wait at most before looking for events again.
 * @param maxLapses How many lost workers close an event as FAILED.
 * @param retryFor How long after its first failed attempt an event is closed as FAILED.
 * @param maxPayloadBytes How large a payload may be, in bytes.
 * @param retention How long completed events stay in the log; for ever unless set.
 * @param failedRetention How long failed events stay in the log; for ever unless set.
 * @param closeTimeout The time for closing.
 * @param retry the delays after failures
 * @param health when the health is down
 * @param metrics how meters are read
 */
@ConfigurationProperties("eventbus")
record EventBusProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue("false") boolean publishOnly,
    @DefaultValue("true") boolean wakeUp,
    @DefaultValue("embedded") DatabaseInitializationMode initializeSchema,
    @DefaultValue("events") String eventsTable,
    @DefaultValue("event_log") String logTable,
    @Nullable String name,
    @DefaultValue("4") int workers,
    @DefaultValue Map<String, Integer> concurrency,
    @DefaultValue("500") int batchSize,
    @Nullable Duration handlerTimeout,
    @DefaultValue Map<String, Duration> handlerTimeouts,
    @DefaultValue("16777216") long maxInFlightBytes,
    @DefaultValue("5m") Duration abandonmentTimeout,
    @Nullable Duration heartbeat,
    @DefaultValue("1m") Duration maxQueueWait,
    @DefaultValue("1s") Duration pollInterval,
    @DefaultValue("10") int maxLapses,
    @DefaultValue("24h") Duration retryFor,
    @DefaultValue("1048576") int maxPayloadBytes,
    @Nullable Duration retention,
    @Nullable Duration failedRetention,
    @DefaultValue("10s") Duration closeTimeout,
    @DefaultValue Retry retry,
    @DefaultValue Health health,
    @DefaultValue Metrics metrics) {

  /**
   * What can be set under {@code eventbus.retry}. Immutable.
   *
   * @param maxAttempts How many failures close an event as FAILED; no limit unless set.
   * @param baseDelay The wait after the first failure; doubled after each.
   * @param maxDelay The longest wait.
   */
  record Retry(
      @Nullable Integer maxAttempts,
      @DefaultValue("200ms") Duration baseDelay,
      @DefaultValue("10m") Duration maxDelay) {}

  /**
   * What can be set under {@code eventbus.health}. Immutable.
   *
   * @param maxLag How long an event that is due may wait for a worker before the health is down.
   */
  record Health(@DefaultValue("5m") Duration maxLag) {}

  /**
   * What can be set under {@code eventbus.metrics}. Immutable.
   *
   * @param ledgerMaxAge How old the numbers of the ledger and the backlog may be; reading them
   *     counts rows.
   */
  record Metrics(@DefaultValue("1m") Duration ledgerMaxAge) {}
}
