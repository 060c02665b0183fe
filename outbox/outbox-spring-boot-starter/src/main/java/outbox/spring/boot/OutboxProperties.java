package outbox.spring.boot;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.OutboxDispatcherBuilder;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.OnDead;
import outbox.poller.OutboxPoller;

/** What can be set under {@code outbox}. Not safe for use by many threads. */
@ConfigurationProperties("outbox")
final class OutboxProperties {
  /** Whether there is an outbox at all. */
  private boolean enabled = true;

  /** Whether this node publishes only, and leaves delivery to others. */
  private boolean publishOnly = false;

  /** Whether nodes wake each other when they publish, on PostgreSQL. */
  private boolean wakeUp = true;

  /** The table, table or schema.table. */
  private String table = JdbcOutboxRepository.DEFAULT_TABLE;

  /** The database's dialect by its name; asked of the database unless set. */
  private @Nullable String dialect;

  /** When to create the tables that are missing. */
  private DatabaseInitializationMode initializeSchema = DatabaseInitializationMode.EMBEDDED;

  /** The node's name, unique among all nodes; made up at each start unless set. */
  private @Nullable String node;

  /** How many events are delivered at the same time. */
  private int workers = OutboxDispatcherBuilder.DEFAULT_WORKERS;

  /** How many events of a type are delivered at the same time, by type; no limit unless set. */
  private final Map<String, Integer> concurrency = new LinkedHashMap<>();

  /** How many published events may wait. */
  private int hotQueueCapacity = OutboxDispatcherBuilder.DEFAULT_QUEUE_CAPACITY;

  /** How many polled events may wait. */
  private int coldQueueCapacity = OutboxDispatcherBuilder.DEFAULT_QUEUE_CAPACITY;

  /** How many bytes the events in flight may have in all; one is always delivered. */
  private long maxInFlightBytes = OutboxDispatcherBuilder.DEFAULT_MAX_IN_FLIGHT_BYTES;

  /** How long a listener may run before it is interrupted; no limit unless set. */
  private @Nullable Duration listenerTimeout;

  /** How long listeners of a type may run, by type. */
  private final Map<String, Duration> listenerTimeouts = new LinkedHashMap<>();

  /** Whether this node polls the table; without it nothing is retried on this node. */
  private boolean pollerEnabled = true;

  /** How often the table is polled at least. */
  private Duration pollInterval = Duration.ofMillis(OutboxPoller.DEFAULT_INTERVAL_MS);

  /** How many events are claimed per poll. */
  private int batchSize = OutboxPoller.DEFAULT_BATCH_SIZE;

  /** How old an event must be to be claimed; zero, since leases protect new ones. */
  private Duration pollSkipRecent = Duration.ZERO;

  /** The delay after the first failure. */
  private Duration retryBaseDelay =
      Duration.ofMillis(ExponentialBackoffRetryPolicy.DEFAULT_BASE_DELAY_MS);

  /** The longest delay. */
  private Duration retryMaxDelay =
      Duration.ofMillis(ExponentialBackoffRetryPolicy.LONG_MAX_DELAY_MS);

  /** How long after its first failed delivery an event is dead. */
  private Duration retryFor = OutboxDispatcherBuilder.DEFAULT_RETRY_FOR;

  /** How many deliveries may fail before an event is dead; no limit unless set. */
  private @Nullable Integer retryMaxAttempts;

  /** How many nodes may die while they deliver an event before it is dead. */
  private int maxLapses = OutboxDispatcherBuilder.DEFAULT_MAX_LAPSES;

  /** What a dead event does to the ordered events after it. */
  private OnDead onDead = OnDead.BLOCK;

  /** The time for closing. */
  private Duration closeTimeout = OutboxDispatcherBuilder.DEFAULT_CLOSE_TIMEOUT;

  /** How long DONE events are kept before they are purged; they are kept for ever unless set. */
  private @Nullable Duration retention;

  @NestedConfigurationProperty private final LeaseProperties lease = new LeaseProperties();

  @NestedConfigurationProperty
  private final UnhandledProperties unhandled = new UnhandledProperties();

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

  public String getTable() {
    return table;
  }

  public void setTable(String table) {
    this.table = table;
  }

  public @Nullable String getDialect() {
    return dialect;
  }

  public void setDialect(@Nullable String dialect) {
    this.dialect = dialect;
  }

  public DatabaseInitializationMode getInitializeSchema() {
    return initializeSchema;
  }

  public void setInitializeSchema(DatabaseInitializationMode initializeSchema) {
    this.initializeSchema = initializeSchema;
  }

  public @Nullable String getNode() {
    return node;
  }

  public void setNode(@Nullable String node) {
    this.node = node;
  }

  public int getWorkers() {
    return workers;
  }

  public void setWorkers(int workers) {
    this.workers = workers;
  }

  public int getHotQueueCapacity() {
    return hotQueueCapacity;
  }

  public void setHotQueueCapacity(int hotQueueCapacity) {
    this.hotQueueCapacity = hotQueueCapacity;
  }

  public int getColdQueueCapacity() {
    return coldQueueCapacity;
  }

  public void setColdQueueCapacity(int coldQueueCapacity) {
    this.coldQueueCapacity = coldQueueCapacity;
  }

  public boolean isPollerEnabled() {
    return pollerEnabled;
  }

  public void setPollerEnabled(boolean pollerEnabled) {
    this.pollerEnabled = pollerEnabled;
  }

  public Duration getPollInterval() {
    return pollInterval;
  }

  public void setPollInterval(Duration pollInterval) {
    this.pollInterval = pollInterval;
  }

  public @Nullable Duration getListenerTimeout() {
    return listenerTimeout;
  }

  public void setListenerTimeout(@Nullable Duration listenerTimeout) {
    this.listenerTimeout = listenerTimeout;
  }

  public Map<String, Integer> getConcurrency() {
    return concurrency;
  }

  public Map<String, Duration> getListenerTimeouts() {
    return listenerTimeouts;
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

  public Duration getPollSkipRecent() {
    return pollSkipRecent;
  }

  public void setPollSkipRecent(Duration pollSkipRecent) {
    this.pollSkipRecent = pollSkipRecent;
  }

  public Duration getRetryBaseDelay() {
    return retryBaseDelay;
  }

  public void setRetryBaseDelay(Duration retryBaseDelay) {
    this.retryBaseDelay = retryBaseDelay;
  }

  public Duration getRetryMaxDelay() {
    return retryMaxDelay;
  }

  public void setRetryMaxDelay(Duration retryMaxDelay) {
    this.retryMaxDelay = retryMaxDelay;
  }

  public Duration getRetryFor() {
    return retryFor;
  }

  public void setRetryFor(Duration retryFor) {
    this.retryFor = retryFor;
  }

  public @Nullable Integer getRetryMaxAttempts() {
    return retryMaxAttempts;
  }

  public void setRetryMaxAttempts(@Nullable Integer retryMaxAttempts) {
    this.retryMaxAttempts = retryMaxAttempts;
  }

  public int getMaxLapses() {
    return maxLapses;
  }

  public void setMaxLapses(int maxLapses) {
    this.maxLapses = maxLapses;
  }

  public OnDead getOnDead() {
    return onDead;
  }

  public void setOnDead(OnDead onDead) {
    this.onDead = onDead;
  }

  public Duration getCloseTimeout() {
    return closeTimeout;
  }

  public void setCloseTimeout(Duration closeTimeout) {
    this.closeTimeout = closeTimeout;
  }

  public @Nullable Duration getRetention() {
    return retention;
  }

  public void setRetention(@Nullable Duration retention) {
    this.retention = retention;
  }

  public LeaseProperties getLease() {
    return lease;
  }

  public UnhandledProperties getUnhandled() {
    return unhandled;
  }

  public HealthProperties getHealth() {
    return health;
  }

  public MetricsProperties getMetrics() {
    return metrics;
  }
}
