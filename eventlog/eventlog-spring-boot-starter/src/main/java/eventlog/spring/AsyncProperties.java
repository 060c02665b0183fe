package eventlog.spring;

import eventlog.AsyncEventLoggerBuilder;
import java.time.Duration;

/** What can be set under {@code eventlog.async}. Not safe for use by many threads. */
final class AsyncProperties extends SpilloverProperties {
  /** How many events may wait to be sent, to be tried again, and to be written, each. */
  private int queueCapacity = AsyncEventLoggerBuilder.DEFAULT_QUEUE_CAPACITY;

  /**
   * How many bytes of memory the events may take that wait to be sent or tried again, and as many
   * those that wait to be written.
   */
  private long maxQueueBytes = AsyncEventLoggerBuilder.DEFAULT_MAX_QUEUE_BYTES;

  /** How many bytes of JSON one request carries at most; a larger event has one of its own. */
  private int maxRequestBytes = AsyncEventLoggerBuilder.DEFAULT_MAX_REQUEST_BYTES;

  /** How many events one request carries at most; 1 switches batching off. */
  private int batchSize = AsyncEventLoggerBuilder.DEFAULT_BATCH_SIZE;

  /** How long to wait for a batch to fill. */
  private Duration maxBatchWait = AsyncEventLoggerBuilder.DEFAULT_MAX_BATCH_WAIT;

  /** How many threads send. */
  private int senderThreads = AsyncEventLoggerBuilder.DEFAULT_SENDER_THREADS;

  /** Whether senders are virtual threads where the JDK has them. */
  private boolean virtualThreads = false;

  /** How often a failed event is tried again. */
  private int maxRetries = AsyncEventLoggerBuilder.DEFAULT_MAX_RETRIES;

  /** The wait after the first failure; it doubles with each. */
  private Duration baseRetryDelay = AsyncEventLoggerBuilder.DEFAULT_BASE_RETRY_DELAY;

  /** The longest wait after a failure. */
  private Duration maxRetryDelay = AsyncEventLoggerBuilder.DEFAULT_MAX_RETRY_DELAY;

  /** How many requests in a row must fail to open the breaker. */
  private int circuitBreakerThreshold = AsyncEventLoggerBuilder.DEFAULT_CIRCUIT_BREAKER_THRESHOLD;

  /** How long the breaker stays open. */
  private Duration circuitBreakerReset = AsyncEventLoggerBuilder.DEFAULT_CIRCUIT_BREAKER_RESET;

  /** How long closing waits for events to be sent. */
  private Duration closeTimeout = AsyncEventLoggerBuilder.DEFAULT_CLOSE_TIMEOUT;

  public int getQueueCapacity() {
    return queueCapacity;
  }

  public void setQueueCapacity(int queueCapacity) {
    this.queueCapacity = queueCapacity;
  }

  public long getMaxQueueBytes() {
    return maxQueueBytes;
  }

  public void setMaxQueueBytes(long maxQueueBytes) {
    this.maxQueueBytes = maxQueueBytes;
  }

  public int getMaxRequestBytes() {
    return maxRequestBytes;
  }

  public void setMaxRequestBytes(int maxRequestBytes) {
    this.maxRequestBytes = maxRequestBytes;
  }

  public int getBatchSize() {
    return batchSize;
  }

  public void setBatchSize(int batchSize) {
    this.batchSize = batchSize;
  }

  public Duration getMaxBatchWait() {
    return maxBatchWait;
  }

  public void setMaxBatchWait(Duration maxBatchWait) {
    this.maxBatchWait = maxBatchWait;
  }

  public int getSenderThreads() {
    return senderThreads;
  }

  public void setSenderThreads(int senderThreads) {
    this.senderThreads = senderThreads;
  }

  public boolean isVirtualThreads() {
    return virtualThreads;
  }

  public void setVirtualThreads(boolean virtualThreads) {
    this.virtualThreads = virtualThreads;
  }

  public int getMaxRetries() {
    return maxRetries;
  }

  public void setMaxRetries(int maxRetries) {
    this.maxRetries = maxRetries;
  }

  public Duration getBaseRetryDelay() {
    return baseRetryDelay;
  }

  public void setBaseRetryDelay(Duration baseRetryDelay) {
    this.baseRetryDelay = baseRetryDelay;
  }

  public Duration getMaxRetryDelay() {
    return maxRetryDelay;
  }

  public void setMaxRetryDelay(Duration maxRetryDelay) {
    this.maxRetryDelay = maxRetryDelay;
  }

  public int getCircuitBreakerThreshold() {
    return circuitBreakerThreshold;
  }

  public void setCircuitBreakerThreshold(int circuitBreakerThreshold) {
    this.circuitBreakerThreshold = circuitBreakerThreshold;
  }

  public Duration getCircuitBreakerReset() {
    return circuitBreakerReset;
  }

  public void setCircuitBreakerReset(Duration circuitBreakerReset) {
    this.circuitBreakerReset = circuitBreakerReset;
  }

  public Duration getCloseTimeout() {
    return closeTimeout;
  }

  public void setCloseTimeout(Duration closeTimeout) {
    this.closeTimeout = closeTimeout;
  }
}
