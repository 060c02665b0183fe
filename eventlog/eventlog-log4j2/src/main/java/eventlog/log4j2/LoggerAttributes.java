package eventlog.log4j2;

import eventlog.appender.AppenderSettings;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.plugins.PluginBuilderAttribute;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an {@link EventLogAppender} that are those of the logger behind it: queue,
 * retries, disk, end. Not safe for use by many threads.
 */
abstract class LoggerAttributes extends AbstractAppender.Builder<EventLogAppenderBuilder> {

  @PluginBuilderAttribute private @Nullable String spilloverPath;

  @PluginBuilderAttribute private @Nullable String queueCapacity;

  @PluginBuilderAttribute private @Nullable String maxQueueBytes;

  @PluginBuilderAttribute private @Nullable String maxRequestBytes;

  @PluginBuilderAttribute private @Nullable String batchSize;

  @PluginBuilderAttribute private @Nullable String maxBatchWait;

  @PluginBuilderAttribute private @Nullable String senderThreads;

  @PluginBuilderAttribute private @Nullable String virtualThreads;

  @PluginBuilderAttribute private @Nullable String maxRetries;

  @PluginBuilderAttribute private @Nullable String baseRetryDelay;

  @PluginBuilderAttribute private @Nullable String maxRetryDelay;

  @PluginBuilderAttribute private @Nullable String circuitBreakerThreshold;

  @PluginBuilderAttribute private @Nullable String circuitBreakerReset;

  @PluginBuilderAttribute private @Nullable String maxSpilloverEvents;

  @PluginBuilderAttribute private @Nullable String maxSpilloverSizeBytes;

  @PluginBuilderAttribute private @Nullable String maxQuarantineSizeBytes;

  @PluginBuilderAttribute private @Nullable String maxEntryBytes;

  @PluginBuilderAttribute private @Nullable String replayInterval;

  @PluginBuilderAttribute private @Nullable String replayBatchSize;

  @PluginBuilderAttribute private @Nullable String maxReplayEventsPerSecond;

  @PluginBuilderAttribute private @Nullable String maxReplayTries;

  @PluginBuilderAttribute private @Nullable String forcePolicy;

  @PluginBuilderAttribute private @Nullable String forceInterval;

  @PluginBuilderAttribute private @Nullable String closeTimeout;

  @PluginBuilderAttribute private @Nullable String registerShutdownHook;

  final AppenderSettings loggerSettings() {
    return new AppenderSettings()
        .set("spilloverPath", spilloverPath)
        .set("queueCapacity", queueCapacity)
        .set("maxQueueBytes", maxQueueBytes)
        .set("maxRequestBytes", maxRequestBytes)
        .set("batchSize", batchSize)
        .set("maxBatchWait", maxBatchWait)
        .set("senderThreads", senderThreads)
        .set("virtualThreads", virtualThreads)
        .set("maxRetries", maxRetries)
        .set("baseRetryDelay", baseRetryDelay)
        .set("maxRetryDelay", maxRetryDelay)
        .set("circuitBreakerThreshold", circuitBreakerThreshold)
        .set("circuitBreakerReset", circuitBreakerReset)
        .set("maxSpilloverEvents", maxSpilloverEvents)
        .set("maxSpilloverSizeBytes", maxSpilloverSizeBytes)
        .set("maxQuarantineSizeBytes", maxQuarantineSizeBytes)
        .set("maxEntryBytes", maxEntryBytes)
        .set("replayInterval", replayInterval)
        .set("replayBatchSize", replayBatchSize)
        .set("maxReplayEventsPerSecond", maxReplayEventsPerSecond)
        .set("maxReplayTries", maxReplayTries)
        .set("forcePolicy", forcePolicy)
        .set("forceInterval", forceInterval)
        .set("closeTimeout", closeTimeout)
        .set("registerShutdownHook", registerShutdownHook);
  }

  /** Sets the directory for events that cannot be sent. Default: none, they are lost. */
  public EventLogAppenderBuilder setSpilloverPath(String text) {
    this.spilloverPath = text;
    return asBuilder();
  }

  /** Sets how many events may wait in memory. Default: 10000. */
  public EventLogAppenderBuilder setQueueCapacity(String text) {
    this.queueCapacity = text;
    return asBuilder();
  }

  /** Sets how many bytes of memory events may take that wait. Default: 64 MiB. */
  public EventLogAppenderBuilder setMaxQueueBytes(String text) {
    this.maxQueueBytes = text;
    return asBuilder();
  }

  /** Sets how many bytes of JSON one request carries at most. Default: 4 MiB. */
  public EventLogAppenderBuilder setMaxRequestBytes(String text) {
    this.maxRequestBytes = text;
    return asBuilder();
  }

  /** Sets how many events one request carries at most. Default: 50. */
  public EventLogAppenderBuilder setBatchSize(String text) {
    this.batchSize = text;
    return asBuilder();
  }

  /** Sets how long to wait for a batch to fill. Default: 100 ms. */
  public EventLogAppenderBuilder setMaxBatchWait(String text) {
    this.maxBatchWait = text;
    return asBuilder();
  }

  /** Sets how many threads send. Default: 4. */
  public EventLogAppenderBuilder setSenderThreads(String text) {
    this.senderThreads = text;
    return asBuilder();
  }

  /** Sets whether senders are virtual threads where the JDK has them. Default: false. */
  public EventLogAppenderBuilder setVirtualThreads(String text) {
    this.virtualThreads = text;
    return asBuilder();
  }

  /** Sets how often a failed event is tried again. Default: 3. */
  public EventLogAppenderBuilder setMaxRetries(String text) {
    this.maxRetries = text;
    return asBuilder();
  }

  /** Sets the wait after the first failure; it doubles with each. Default: 1 s. */
  public EventLogAppenderBuilder setBaseRetryDelay(String text) {
    this.baseRetryDelay = text;
    return asBuilder();
  }

  /** Sets the longest wait after a failure. Default: 30 s. */
  public EventLogAppenderBuilder setMaxRetryDelay(String text) {
    this.maxRetryDelay = text;
    return asBuilder();
  }

  /** Sets how many requests in a row must fail to open the breaker. Default: 5. */
  public EventLogAppenderBuilder setCircuitBreakerThreshold(String text) {
    this.circuitBreakerThreshold = text;
    return asBuilder();
  }

  /** Sets how long the breaker stays open. Default: 30 s. */
  public EventLogAppenderBuilder setCircuitBreakerReset(String text) {
    this.circuitBreakerReset = text;
    return asBuilder();
  }

  /** Sets how many events may be on disk. Default: 10000. */
  public EventLogAppenderBuilder setMaxSpilloverEvents(String text) {
    this.maxSpilloverEvents = text;
    return asBuilder();
  }

  /** Sets how many bytes may be on disk, such as {@code 2 GiB}. Default: 50 MiB. */
  public EventLogAppenderBuilder setMaxSpilloverSizeBytes(String text) {
    this.maxSpilloverSizeBytes = text;
    return asBuilder();
  }

  /** Sets how many bytes the quarantine may have. Default: 10 MiB. */
  public EventLogAppenderBuilder setMaxQuarantineSizeBytes(String text) {
    this.maxQuarantineSizeBytes = text;
    return asBuilder();
  }

  /** Sets how many bytes one event may have as JSON. Default: 1 MiB. */
  public EventLogAppenderBuilder setMaxEntryBytes(String text) {
    this.maxEntryBytes = text;
    return asBuilder();
  }

  /** Sets the pause between two polls of the disk. Default: 10 s. */
  public EventLogAppenderBuilder setReplayInterval(String text) {
    this.replayInterval = text;
    return asBuilder();
  }

  /** Sets how many events from disk one request carries. Default: ten times batchSize. */
  public EventLogAppenderBuilder setReplayBatchSize(String text) {
    this.replayBatchSize = text;
    return asBuilder();
  }

  /** Sets how fast events from disk are sent at most. Default: 10000. */
  public EventLogAppenderBuilder setMaxReplayEventsPerSecond(String text) {
    this.maxReplayEventsPerSecond = text;
    return asBuilder();
  }

  /** Sets how often an event from disk may fail alone before it is set aside. Default: 5. */
  public EventLogAppenderBuilder setMaxReplayTries(String text) {
    this.maxReplayTries = text;
    return asBuilder();
  }

  /** Sets when the file on disk is fsynced: NEVER, INTERVAL or EACH_BATCH. Default: INTERVAL. */
  public EventLogAppenderBuilder setForcePolicy(String text) {
    this.forcePolicy = text;
    return asBuilder();
  }

  /** Sets how long after writing the file is fsynced, under INTERVAL. Default: 1 s. */
  public EventLogAppenderBuilder setForceInterval(String text) {
    this.forceInterval = text;
    return asBuilder();
  }

  /** Sets the time for sending what is left when the appender stops. Default: 10 s. */
  public EventLogAppenderBuilder setCloseTimeout(String text) {
    this.closeTimeout = text;
    return asBuilder();
  }

  /**
   * Sets whether the appender stops by itself when the JVM ends. Default: true. With false it stops
   * when Log4j does.
   */
  public EventLogAppenderBuilder setRegisterShutdownHook(String text) {
    this.registerShutdownHook = text;
    return asBuilder();
  }
}
