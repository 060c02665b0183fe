package eventlog;

import eventlog.spi.EventLogClient;
import eventlog.spi.Redaction;
import holdfast.time.TimeSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Settings of an {@link AsyncEventLogger}. Not safe for use by many threads. */
public final class AsyncEventLoggerBuilder {
  /** The default of queueCapacity: {@value}. */
  public static final int DEFAULT_QUEUE_CAPACITY = 10_000;

  /** The default of maxQueueBytes: {@value}. */
  public static final long DEFAULT_MAX_QUEUE_BYTES = 64L * 1024 * 1024;

  /** The default of maxRequestBytes: {@value}. */
  public static final int DEFAULT_MAX_REQUEST_BYTES = 4 * 1024 * 1024;

  /** The default of maxRetries: {@value}. */
  public static final int DEFAULT_MAX_RETRIES = 3;

  /** The default of baseRetryDelay: 1 second. */
  public static final Duration DEFAULT_BASE_RETRY_DELAY = Duration.ofSeconds(1);

  /** The default of maxRetryDelay: 30 seconds. */
  public static final Duration DEFAULT_MAX_RETRY_DELAY = Duration.ofSeconds(30);

  /** The default of circuitBreakerThreshold: {@value}. */
  public static final int DEFAULT_CIRCUIT_BREAKER_THRESHOLD = 5;

  /** The default of circuitBreakerReset: 30 seconds. */
  public static final Duration DEFAULT_CIRCUIT_BREAKER_RESET = Duration.ofSeconds(30);

  /** The default of batchSize: {@value}. */
  public static final int DEFAULT_BATCH_SIZE = 50;

  /** The default of maxBatchWait: 100 ms. */
  public static final Duration DEFAULT_MAX_BATCH_WAIT = Duration.ofMillis(100);

  /** The default of senderThreads: {@value}. */
  public static final int DEFAULT_SENDER_THREADS = 4;

  /** The default of replayInterval: 10 seconds. */
  public static final Duration DEFAULT_REPLAY_INTERVAL = Duration.ofSeconds(10);

  /** The default of maxReplayEventsPerSecond: {@value}. */
  public static final int DEFAULT_MAX_REPLAY_EVENTS_PER_SECOND = 10_000;

  /** The default of maxReplayTries: {@value}. */
  public static final int DEFAULT_MAX_REPLAY_TRIES = 5;

  /** The default of maxSpilloverEvents: {@value}. */
  public static final long DEFAULT_MAX_SPILLOVER_EVENTS = 10_000;

  /** The default of maxSpilloverSizeBytes: {@value}. */
  public static final long DEFAULT_MAX_SPILLOVER_SIZE_BYTES = 50L * 1024 * 1024;

  /** The default of maxQuarantineSizeBytes: {@value}. */
  public static final long DEFAULT_MAX_QUARANTINE_SIZE_BYTES = 10L * 1024 * 1024;

  /** The default of maxEntryBytes: {@value}. */
  public static final int DEFAULT_MAX_ENTRY_BYTES = 1024 * 1024;

  /** The default of forceInterval: 1 second. */
  public static final Duration DEFAULT_FORCE_INTERVAL = Duration.ofSeconds(1);

  /** The time for closing unless configured: 10 seconds. */
  public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(10);

  @Nullable EventLogClient client;
  @Nullable Path spilloverPath;
  @Nullable EventLossCallback eventLossCallback;
  EventLogLifecycleListener lifecycleListener = EventLogLifecycleListener.NONE;
  @Nullable Redaction redaction;
  ForcePolicy forcePolicy = ForcePolicy.INTERVAL;
  TimeSource time = TimeSource.system();
  boolean virtualThreads;
  boolean registerShutdownHook = true;
  int queueCapacity = DEFAULT_QUEUE_CAPACITY;
  long maxQueueBytes = DEFAULT_MAX_QUEUE_BYTES;
  int maxRequestBytes = DEFAULT_MAX_REQUEST_BYTES;
  int maxRetries = DEFAULT_MAX_RETRIES;
  Duration baseRetryDelay = DEFAULT_BASE_RETRY_DELAY;
  Duration maxRetryDelay = DEFAULT_MAX_RETRY_DELAY;
  int circuitBreakerThreshold = DEFAULT_CIRCUIT_BREAKER_THRESHOLD;
  Duration circuitBreakerReset = DEFAULT_CIRCUIT_BREAKER_RESET;
  int batchSize = DEFAULT_BATCH_SIZE;
  Duration maxBatchWait = DEFAULT_MAX_BATCH_WAIT;
  int senderThreads = DEFAULT_SENDER_THREADS;
  Duration replayInterval = DEFAULT_REPLAY_INTERVAL;
  @Nullable Integer replayBatchSize;
  int maxReplayEventsPerSecond = DEFAULT_MAX_REPLAY_EVENTS_PER_SECOND;
  int maxReplayTries = DEFAULT_MAX_REPLAY_TRIES;
  long maxSpilloverEvents = DEFAULT_MAX_SPILLOVER_EVENTS;
  long maxSpilloverSizeBytes = DEFAULT_MAX_SPILLOVER_SIZE_BYTES;
  long maxQuarantineSizeBytes = DEFAULT_MAX_QUARANTINE_SIZE_BYTES;
  int maxEntryBytes = DEFAULT_MAX_ENTRY_BYTES;
  Duration forceInterval = DEFAULT_FORCE_INTERVAL;
  Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;

  AsyncEventLoggerBuilder() {}

  /** Sets the way to the API; required. */
  public AsyncEventLoggerBuilder client(@Nullable EventLogClient client) {
    this.client = client;
    return this;
  }

  /** Sets the directory for spillover; null, the default, switches it off. */
  public AsyncEventLoggerBuilder spilloverPath(@Nullable Path spilloverPath) {
    this.spilloverPath = spilloverPath;
    return this;
  }

  /** Sets who is told of losses; replaces the one set before. */
  public AsyncEventLoggerBuilder eventLossCallback(EventLossCallback callback) {
    this.eventLossCallback = Objects.requireNonNull(callback, "eventLossCallback");
    return this;
  }

  /** Sets the listener for lifecycle events. Default: none. */
  public AsyncEventLoggerBuilder lifecycleListener(EventLogLifecycleListener listener) {
    this.lifecycleListener = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Sets what is taken out of events before they are sent, written to disk or told as lost;
   * replaces the one set before.
   */
  public AsyncEventLoggerBuilder redaction(Redaction redaction) {
    this.redaction = Objects.requireNonNull(redaction, "redaction");
    return this;
  }

  /** Sets when the spillover file is fsynced; replaces {@link ForcePolicy#INTERVAL}. */
  public AsyncEventLoggerBuilder forcePolicy(ForcePolicy policy) {
    this.forcePolicy = Objects.requireNonNull(policy, "forcePolicy");
    return this;
  }

  /** Sets the clock; replaces that of the system. */
  public AsyncEventLoggerBuilder time(TimeSource time) {
    this.time = Objects.requireNonNull(time, "time");
    return this;
  }

  /** Sets whether senders are virtual threads where the JDK has them; false by default. */
  public AsyncEventLoggerBuilder virtualThreads(boolean virtualThreads) {
    this.virtualThreads = virtualThreads;
    return this;
  }

  /** Sets whether the end of the JVM closes the logger; true by default. */
  public AsyncEventLoggerBuilder registerShutdownHook(boolean registerShutdownHook) {
    this.registerShutdownHook = registerShutdownHook;
    return this;
  }

  /** Sets how many events may wait in the main queue, and as many to be written to disk. */
  public AsyncEventLoggerBuilder queueCapacity(int queueCapacity) {
    this.queueCapacity = queueCapacity;
    return this;
  }

  /**
   * Sets how many bytes of memory the events may take that wait to be sent or tried again, and as
   * many those that wait to be written to disk. Default: 64 MiB. A character of a text counts as
   * two bytes. An event that finds no room is treated as if {@code queueCapacity} were reached; one
   * event always finds room where no other waits.
   */
  public AsyncEventLoggerBuilder maxQueueBytes(long maxQueueBytes) {
    this.maxQueueBytes = maxQueueBytes;
    return this;
  }

  /**
   * Sets how many bytes of JSON one request carries at most, before compression. Default: 4 MiB. A
   * larger event is sent in a request of its own.
   */
  public AsyncEventLoggerBuilder maxRequestBytes(int maxRequestBytes) {
    this.maxRequestBytes = maxRequestBytes;
    return this;
  }

  /** Sets how often a failed event is tried again. */
  public AsyncEventLoggerBuilder maxRetries(int maxRetries) {
    this.maxRetries = maxRetries;
    return this;
  }

  /** Sets the wait after the first failure; it doubles with each. */
  public AsyncEventLoggerBuilder baseRetryDelay(Duration baseRetryDelay) {
    this.baseRetryDelay = Objects.requireNonNull(baseRetryDelay, "baseRetryDelay");
    return this;
  }

  /** Sets the longest wait after a failure. */
  public AsyncEventLoggerBuilder maxRetryDelay(Duration maxRetryDelay) {
    this.maxRetryDelay = Objects.requireNonNull(maxRetryDelay, "maxRetryDelay");
    return this;
  }

  /** Sets how many requests in a row must fail to open the breaker. */
  public AsyncEventLoggerBuilder circuitBreakerThreshold(int circuitBreakerThreshold) {
    this.circuitBreakerThreshold = circuitBreakerThreshold;
    return this;
  }

  /** Sets how long the breaker stays open. */
  public AsyncEventLoggerBuilder circuitBreakerReset(Duration circuitBreakerReset) {
    this.circuitBreakerReset = Objects.requireNonNull(circuitBreakerReset, "circuitBreakerReset");
    return this;
  }

  /** Sets how many events one request carries at most; 1 switches batching off. */
  public AsyncEventLoggerBuilder batchSize(int batchSize) {
    this.batchSize = batchSize;
    return this;
  }

  /** Sets how long to wait for a batch to fill. */
  public AsyncEventLoggerBuilder maxBatchWait(Duration maxBatchWait) {
    this.maxBatchWait = Objects.requireNonNull(maxBatchWait, "maxBatchWait");
    return this;
  }

  /**
   * Sets how many threads send, each one request at a time. Default: 4. Needed are events per
   * second × seconds per request ÷ {@code batchSize}, and half as many again for bursts.
   */
  public AsyncEventLoggerBuilder senderThreads(int senderThreads) {
    this.senderThreads = senderThreads;
    return this;
  }

  /** Sets the pause between two polls of the disk; the first poll comes at the start. */
  public AsyncEventLoggerBuilder replayInterval(Duration replayInterval) {
    this.replayInterval = Objects.requireNonNull(replayInterval, "replayInterval");
    return this;
  }

  /** Sets {@link #replayInterval} in milliseconds. */
  public AsyncEventLoggerBuilder replayIntervalMs(long replayIntervalMs) {
    return replayInterval(Duration.ofMillis(replayIntervalMs));
  }

  /**
   * Sets how many events from disk one request carries at most. Default: ten times {@code
   * batchSize}, or 1 where batching is off. They are late already, so fewer and larger requests
   * cost nothing; after a crash the last of them is repeated.
   */
  public AsyncEventLoggerBuilder replayBatchSize(int replayBatchSize) {
    this.replayBatchSize = replayBatchSize;
    return this;
  }

  /** How many events from disk one request carries at most. */
  int effectiveReplayBatchSize() {
    return replayBatchSize != null ? replayBatchSize : batchSize == 1 ? 1 : 10 * batchSize;
  }

  /** Sets how fast events from disk are sent at most. Default: 10,000 events a second. */
  public AsyncEventLoggerBuilder maxReplayEventsPerSecond(int maxReplayEventsPerSecond) {
    this.maxReplayEventsPerSecond = maxReplayEventsPerSecond;
    return this;
  }

  /**
   * Sets how often the API may fail for an event from disk alone, while it accepts other events,
   * before the event is set aside. Default: 5. In an outage nothing is set aside.
   */
  public AsyncEventLoggerBuilder maxReplayTries(int maxReplayTries) {
    this.maxReplayTries = maxReplayTries;
    return this;
  }

  /** Sets how many events may be on disk that are not yet answered for. */
  public AsyncEventLoggerBuilder maxSpilloverEvents(long maxSpilloverEvents) {
    this.maxSpilloverEvents = maxSpilloverEvents;
    return this;
  }

  /** Sets how many bytes the active and the replay file may have together. */
  public AsyncEventLoggerBuilder maxSpilloverSizeBytes(long maxSpilloverSizeBytes) {
    this.maxSpilloverSizeBytes = maxSpilloverSizeBytes;
    return this;
  }

  /** Sets how many bytes the quarantine may have. */
  public AsyncEventLoggerBuilder maxQuarantineSizeBytes(long maxQuarantineSizeBytes) {
    this.maxQuarantineSizeBytes = maxQuarantineSizeBytes;
    return this;
  }

  /** Sets how many bytes one event may have as JSON. */
  public AsyncEventLoggerBuilder maxEntryBytes(int maxEntryBytes) {
    this.maxEntryBytes = maxEntryBytes;
    return this;
  }

  /** Sets how long after writing the file is fsynced, under the policy INTERVAL. */
  public AsyncEventLoggerBuilder forceInterval(Duration forceInterval) {
    this.forceInterval = Objects.requireNonNull(forceInterval, "forceInterval");
    return this;
  }

  /** Sets the time for {@link AsyncEventLogger#close()}, zero or more. Default: 10 seconds. */
  public AsyncEventLoggerBuilder closeTimeout(Duration closeTimeout) {
    this.closeTimeout = Objects.requireNonNull(closeTimeout, "closeTimeout");
    return this;
  }

  /**
   * What is wrong with the settings, a sentence each that begins with the setting's name; empty if
   * nothing is. For those who take settings from elsewhere and know them by other names.
   */
  public List<String> problems() {
    return SettingsCheck.of(this).found();
  }

  /**
   * The logger, running.
   *
   * @return a logger, to be closed
   * @throws IllegalStateException if there is no client
   * @throws IllegalArgumentException if a setting is out of range, naming all of them
   */
  public AsyncEventLogger build() {
    if (client == null) {
      throw new IllegalStateException(
          "AsyncEventLogger needs a client but has none; set one with client(...)");
    }
    SettingsCheck.of(this).throwIfAny();
    return new AsyncEventLogger(this, client);
  }
}
