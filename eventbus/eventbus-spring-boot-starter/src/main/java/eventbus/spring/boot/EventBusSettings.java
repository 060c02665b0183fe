package eventbus.spring.boot;

import eventbus.EventBus;
import eventbus.EventBusBuilder;
import eventbus.RetryPolicy;
import holdfast.jdbc.WakeUp;
import holdfast.spring.boot.SchemaCreation;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Turns properties into the settings of a bus. Stateless. */
final class EventBusSettings {

  private EventBusSettings() {}

  /**
   * A builder with all properties applied.
   *
   * @throws holdfast.spring.boot.StartException if any is out of range, naming all of them
   */
  static EventBusBuilder builder(
      DataSource dataSource, EventBusProperties properties, @Nullable RetryPolicy retryPolicy) {
    EventBusChecks.check(properties, dataSource);
    EventBusBuilder builder =
        EventBus.builder(dataSource)
            .tables(properties.getEventsTable(), properties.getLogTable())
            .wakeUp(properties.isWakeUp() ? WakeUp.ON : WakeUp.OFF)
            .workers(properties.getWorkers())
            .batchSize(properties.getBatchSize())
            .maxInFlightBytes(properties.getMaxInFlightBytes())
            .abandonmentTimeout(properties.getAbandonmentTimeout())
            .maxQueueWait(properties.getMaxQueueWait())
            .pollInterval(properties.getPollInterval())
            .retryPolicy(retryPolicy == null ? backoff(properties.getRetry()) : retryPolicy)
            .retryFor(properties.getRetryFor())
            .maxLapses(properties.getMaxLapses())
            .maxPayloadBytes(properties.getMaxPayloadBytes())
            .closeTimeout(properties.getCloseTimeout())
            .requireTables();
    properties.getConcurrency().forEach(builder::concurrency);
    Duration handlerTimeout = properties.getHandlerTimeout();
    if (handlerTimeout != null) {
      builder.handlerTimeout(handlerTimeout);
    }
    properties.getHandlerTimeouts().forEach(builder::handlerTimeout);
    if (SchemaCreation.isWanted(properties.getInitializeSchema(), dataSource)) {
      builder.createTables();
    }
    if (properties.isPublishOnly()) {
      builder.publishOnly();
    }
    String name = properties.getName();
    if (name != null) {
      builder.name(name);
    }
    Duration heartbeat = properties.getHeartbeat();
    if (heartbeat != null) {
      builder.heartbeat(heartbeat);
    }
    retention(builder, properties);
    return builder;
  }

  private static void retention(EventBusBuilder builder, EventBusProperties properties) {
    Duration keepCompleted = properties.getRetention();
    if (keepCompleted != null) {
      builder.retention(keepCompleted);
    }
    Duration keepFailed = properties.getFailedRetention();
    if (keepFailed != null) {
      builder.failedRetention(keepFailed);
    }
  }

  private static RetryPolicy backoff(RetryProperties retry) {
    Integer most = retry.getMaxAttempts();
    return most == null
        ? RetryPolicy.backoff(retry.getBaseDelay(), retry.getMaxDelay())
        : RetryPolicy.backoff(most, retry.getBaseDelay(), retry.getMaxDelay());
  }
}
