package eventbus.spring.boot;

import eventbus.EventBusBuilder;
import eventbus.EventBusSchema;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.sql.init.DatabaseInitializationMode;

/** What can be set under {@code eventbus}. Not safe for use by many threads. */
@ConfigurationProperties("eventbus")
final class EventBusProperties {
  /** Whether there is an event bus at all. */
  private boolean enabled = true;

  /** Whether this node publishes only, and leaves the work to others. */
  private boolean publishOnly = false;

  /** Whether nodes wake each other when they publish, on PostgreSQL. */
  private boolean wakeUp = true;

  /** When to create the tables that are missing. */
  private DatabaseInitializationMode initializeSchema = DatabaseInitializationMode.EMBEDDED;

  /** The table of events to be worked on, table or schema.table. */
  private String eventsTable = EventBusSchema.DEFAULT_EVENTS_TABLE;

  /** The table of closed events, table or schema.table. */
  private String logTable = EventBusSchema.DEFAULT_LOG_TABLE;

  /** The node's name, unique among all nodes; made up at each start unless set. */
  private @Nullable String name;

  /** How many events are handled at the same time. */
  private int workers = EventBusBuilder.DEFAULT_WORKERS;

  /** How many events of a type this node holds at the same time, by type; no limit unless set. */
  private final Map<String, Integer> concurrency = new LinkedHashMap<>();

  /** How many events are claimed at a time. */
  private int batchSize = EventBusBuilder.DEFAULT_BATCH_SIZE;

  /** How long the handlers of an event may run before they are interrupted; no limit unless set. */
  private @Nullable Duration handlerTimeout;

  /** How long the handlers of events of a type may run, by type. */
  private final Map<String, Duration> handlerTimeouts = new LinkedHashMap<>();

  /** How many bytes the events in flight may have in all; one is always handled. */
  private long maxInFlightBytes = EventBusBuilder.DEFAULT_MAX_IN_FLIGHT_BYTES;

  /** How long an event belongs to a worker without a sign of life. */
  private Duration abandonmentTimeout = EventBusBuilder.DEFAULT_ABANDONMENT_TIMEOUT;

  /** How often workers give signs of life; a fifth of the abandonment timeout unless set. */
  private @Nullable Duration heartbeat;

  /** How long an event may wait for a worker of its node before it is given back. */
  private Duration maxQueueWait = EventBusBuilder.DEFAULT_MAX_QUEUE_WAIT;

  /** How long to wait at most before looking for events again. */
  private Duration pollInterval = EventBusBuilder.DEFAULT_POLL_INTERVAL;

  /** How many lost workers close an event as FAILED. */
  private int maxLapses = EventBusBuilder.DEFAULT_MAX_LAPSES;

  /** How long after its first failed attempt an event is closed as FAILED. */
  private Duration retryFor = EventBusBuilder.DEFAULT_RETRY_FOR;

  /** How large a payload may be, in bytes. */
  private int maxPayloadBytes = EventBusBuilder.DEFAULT_MAX_PAYLOAD_BYTES;

  /** How long completed events stay in the log; for ever unless set. */
  private @Nullable Duration retention;

  /** How long failed events stay in the log; for ever unless set. */
  private @Nullable Duration failedRetention;

  /** The time for closing. */
  private Duration closeTimeout = EventBusBuilder.DEFAULT_CLOSE_TIMEOUT;

  @NestedConfigurationProperty private final RetryProperties retry = new RetryProperties();

  @NestedConfigurationProperty private final HealthProperties health = new HealthProperties();

  @NestedConfigurationProperty private final MetricsProperties metrics = new MetricsProperties();

  public boolean isEnabled() {
    return enabled;
  }

  public void setEnabled(boolean enabled) {
    this.enabled = enabled;
  }

  public boolean isPublishOnly() {
    return publishOnly;
  }

  public void setPublishOnly(boolean publishOnly) {
    this.publishOnly = publishOnly;
  }

  public boolean isWakeUp() {
    return wakeUp;
  }

  public void setWakeUp(boolean wakeUp) {
    this.wakeUp = wakeUp;
  }

  public DatabaseInitializationMode getInitializeSchema() {
    return initializeSchema;
  }

  public void setInitializeSchema(DatabaseInitializationMode initializeSchema) {
    this.initializeSchema = initializeSchema;
  }

  public String getEventsTable() {
    return eventsTable;
  }

  public void setEventsTable(String eventsTable) {
    this.eventsTable = eventsTable;
  }

  public String getLogTable() {
    return logTable;
  }

  public void setLogTable(String logTable) {
    this.logTable = logTable;
  }

  public @Nullable String getName() {
    return name;
  }

  public void setName(@Nullable String name) {
    this.name = name;
  }

  public int getWorkers() {
    return workers;
  }

  public void setWorkers(int workers) {
    this.workers = workers;
  }

  public Map<String, Integer> getConcurrency() {
    return concurrency;
  }

  public @Nullable Duration getHandlerTimeout() {
    return handlerTimeout;
  }

  public void setHandlerTimeout(@Nullable Duration handlerTimeout) {
    this.handlerTimeout = handlerTimeout;
  }

  public Map<String, Duration> getHandlerTimeouts() {
    return handlerTimeouts;
  }

  public long getMaxInFlightBytes() {
    return maxInFlightBytes;
  }

  public void setMaxInFlightBytes(long maxInFlightBytes) {
    this.maxInFlightBytes = maxInFlightBytes;
  }

  public int getBatchSize() {
    return batchSize;
  }

  public void setBatchSize(int batchSize) {
    this.batchSize = batchSize;
  }

  public Duration getAbandonmentTimeout() {
    return abandonmentTimeout;
  }

  public void setAbandonmentTimeout(Duration abandonmentTimeout) {
    this.abandonmentTimeout = abandonmentTimeout;
  }

  public @Nullable Duration getHeartbeat() {
    return heartbeat;
  }

  public void setHeartbeat(@Nullable Duration heartbeat) {
    this.heartbeat = heartbeat;
  }

  public Duration getMaxQueueWait() {
    return maxQueueWait;
  }

  public void setMaxQueueWait(Duration maxQueueWait) {
    this.maxQueueWait = maxQueueWait;
  }

  public Duration getPollInterval() {
    return pollInterval;
  }

  public void setPollInterval(Duration pollInterval) {
    this.pollInterval = pollInterval;
  }

  public Duration getRetryFor() {
    return retryFor;
  }

  public void setRetryFor(Duration retryFor) {
    this.retryFor = retryFor;
  }

  public int getMaxLapses() {
    return maxLapses;
  }

  public void setMaxLapses(int maxLapses) {
    this.maxLapses = maxLapses;
  }

  public int getMaxPayloadBytes() {
    return maxPayloadBytes;
  }

  public void setMaxPayloadBytes(int maxPayloadBytes) {
    this.maxPayloadBytes = maxPayloadBytes;
  }

  public @Nullable Duration getRetention() {
    return retention;
  }

  public void setRetention(@Nullable Duration retention) {
    this.retention = retention;
  }

  public @Nullable Duration getFailedRetention() {
    return failedRetention;
  }

  public void setFailedRetention(@Nullable Duration failedRetention) {
    this.failedRetention = failedRetention;
  }

  public Duration getCloseTimeout() {
    return closeTimeout;
  }

  public void setCloseTimeout(Duration closeTimeout) {
    this.closeTimeout = closeTimeout;
  }

  public RetryProperties getRetry() {
    return retry;
  }

  public HealthProperties getHealth() {
    return health;
  }

  public MetricsProperties getMetrics() {
    return metrics;
  }
}
