package eventlog.spring;

import eventlog.AsyncEventLoggerBuilder;
import java.time.Duration;

/** What can be set under {@code eventlog.async}. Not safe for use by many threads. */
final class AsyncProperties extends SpilloverProperties {
  /** How many events may wait to be sent, to be tried again, and to be written, each. */
  private int queueCapacity = AsyncEventLoggerBuilder.DEFAULT_QUEUE_CAPACITY;

  /** How many events one request carries at most; 1 switches batching off. */
  private int batchSize = AsyncEventLoggerBuilder.DEFAULT_BATCH_SIZE;

  /** How long to wait for a batch to fill, in milliseconds. */
  private long maxBatchWaitMs = AsyncEventLoggerBuilder.DEFAULT_MAX_BATCH_WAIT_MS;

  /** How many threads send. */
  private int senderThreads = AsyncEventLoggerBuilder.DEFAULT_SENDER_THREADS;

  /** Whether senders are virtual threads where the JDK has them. */
  private boolean virtualThreads = false;

  /** How often a failed event is tried again. */
  private int maxRetries = AsyncEventLoggerBuilder.DEFAULT_MAX_RETRIES;

  /** The wait after the first failure, in milliseconds; it doubles with each. */
  private long baseRetryDelayMs = AsyncEventLoggerBuilder.DEFAULT_BASE_RETRY_DELAY_MS;

  /** The longest wait after a failure, in milliseconds. */
  private long maxRetryDelayMs = AsyncEventLoggerBuilder.DEFAULT_MAX_RETRY_DELAY_MS;

  /** How many requests in a row must fail to open the breaker. */
  private int circuitBreakerThreshold = AsyncEventLoggerBuilder.DEFAULT_CIRCUIT_BREAKER_THRESHOLD;

  /** How long the breaker stays open, in milliseconds. */
  private long circuitBreakerResetMs = AsyncEventLoggerBuilder.DEFAULT_CIRCUIT_BREAKER_RESET_MS;

  /** How long closing waits for events to be sent. */
  private Duration closeTimeout = AsyncEventLoggerBuilder.DEFAULT_CLOSE_TIMEOUT;

  public int getQueueCapacity() {
    return queueCapacity;
  }

  public void setQueueCapacity(int queueCapacity) {
    this.queueCapacity = queueCapacity;
  }

  public int getBatchSize() {
    return batchSize;
  }

  public void setBatchSize(int batchSize) {
    this.batchSize = batchSize;
  }

  public long getMaxBatchWaitMs() {
    return maxBatchWaitMs;
  }

  public void setMaxBatchWaitMs(long maxBatchWaitMs) {
    this.maxBatchWaitMs = maxBatchWaitMs;
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

  public long getBaseRetryDelayMs() {
    return baseRetryDelayMs;
  }

  public void setBaseRetryDelayMs(long baseRetryDelayMs) {
    this.baseRetryDelayMs = baseRetryDelayMs;
  }

  public long getMaxRetryDelayMs() {
    return maxRetryDelayMs;
  }

  public void setMaxRetryDelayMs(long maxRetryDelayMs) {
    this.maxRetryDelayMs = maxRetryDelayMs;
  }

  public int getCircuitBreakerThreshold() {
    return circuitBreakerThreshold;
  }

  public void setCircuitBreakerThreshold(int circuitBreakerThreshold) {
    this.circuitBreakerThreshold = circuitBreakerThreshold;
  }

  public long getCircuitBreakerResetMs() {
    return circuitBreakerResetMs;
  }

  public void setCircuitBreakerResetMs(long circuitBreakerResetMs) {
    this.circuitBreakerResetMs = circuitBreakerResetMs;
  }

  public Duration getCloseTimeout() {
    return closeTimeout;
  }

  public void setCloseTimeout(Duration closeTimeout) {
    this.closeTimeout = closeTimeout;
  }
}
