package outbox;

import holdfast.problems.Problems;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.OutboxDispatcherBuilder;
import outbox.poller.OutboxPoller;

/** The numbers of an outbox in one place, with their defaults. Not safe for use by many threads. */
public final class OutboxConfig {
  private int dispatcherWorkers = OutboxDispatcherBuilder.DEFAULT_WORKERS;
  private int hotQueueCapacity = OutboxDispatcherBuilder.DEFAULT_QUEUE_CAPACITY;
  private int coldQueueCapacity = OutboxDispatcherBuilder.DEFAULT_QUEUE_CAPACITY;
  private boolean pollerEnabled = true;
  private long pollerIntervalMs = OutboxPoller.DEFAULT_INTERVAL_MS;
  private int pollerBatchSize = OutboxPoller.DEFAULT_BATCH_SIZE;
  private long pollerSkipRecentMs = OutboxPoller.DEFAULT_SKIP_RECENT_MS;
  private long retryBaseDelayMs = ExponentialBackoffRetryPolicy.DEFAULT_BASE_DELAY_MS;
  private long retryMaxDelayMs = ExponentialBackoffRetryPolicy.DEFAULT_MAX_DELAY_MS;
  private int retryMaxAttempts = OutboxDispatcherBuilder.DEFAULT_MAX_ATTEMPTS;

  /** The defaults. */
  public OutboxConfig() {}

  /** How many events are delivered at the same time. */
  public int getDispatcherWorkers() {
    return dispatcherWorkers;
  }

  /** Sets how many events are delivered at the same time, 1 or more. */
  public OutboxConfig setDispatcherWorkers(int dispatcherWorkers) {
    this.dispatcherWorkers = dispatcherWorkers;
    return this;
  }

  /** How many published events may wait. */
  public int getHotQueueCapacity() {
    return hotQueueCapacity;
  }

  /** Sets how many published events may wait, 1 or more. */
  public OutboxConfig setHotQueueCapacity(int hotQueueCapacity) {
    this.hotQueueCapacity = hotQueueCapacity;
    return this;
  }

  /** How many polled events may wait. */
  public int getColdQueueCapacity() {
    return coldQueueCapacity;
  }

  /** Sets how many polled events may wait, 1 or more. */
  public OutboxConfig setColdQueueCapacity(int coldQueueCapacity) {
    this.coldQueueCapacity = coldQueueCapacity;
    return this;
  }

  /** Whether the table is looked into at all. */
  public boolean isPollerEnabled() {
    return pollerEnabled;
  }

  /** Sets whether the table is looked into; without it nothing is retried on this node. */
  public OutboxConfig setPollerEnabled(boolean pollerEnabled) {
    this.pollerEnabled = pollerEnabled;
    return this;
  }

  /** How often the table is looked into at least, in milliseconds. */
  public long getPollerIntervalMs() {
    return pollerIntervalMs;
  }

  /** Sets how often the table is looked into at least, 1 or more. */
  public OutboxConfig setPollerIntervalMs(long pollerIntervalMs) {
    this.pollerIntervalMs = pollerIntervalMs;
    return this;
  }

  /** How many events are fetched at a time. */
  public int getPollerBatchSize() {
    return pollerBatchSize;
  }

  /** Sets how many events are fetched at a time, 1 or more. */
  public OutboxConfig setPollerBatchSize(int pollerBatchSize) {
    this.pollerBatchSize = pollerBatchSize;
    return this;
  }

  /** How old an event must be before the poller takes it, in milliseconds. */
  public long getPollerSkipRecentMs() {
    return pollerSkipRecentMs;
  }

  /** Sets how old an event must be before the poller takes it, 0 or more. */
  public OutboxConfig setPollerSkipRecentMs(long pollerSkipRecentMs) {
    this.pollerSkipRecentMs = pollerSkipRecentMs;
    return this;
  }

  /** The delay after the first failure, in milliseconds. */
  public long getRetryBaseDelayMs() {
    return retryBaseDelayMs;
  }

  /** Sets the delay after the first failure, 1 or more. */
  public OutboxConfig setRetryBaseDelayMs(long retryBaseDelayMs) {
    this.retryBaseDelayMs = retryBaseDelayMs;
    return this;
  }

  /** The longest delay, in milliseconds. */
  public long getRetryMaxDelayMs() {
    return retryMaxDelayMs;
  }

  /** Sets the longest delay, no shorter than the first. */
  public OutboxConfig setRetryMaxDelayMs(long retryMaxDelayMs) {
    this.retryMaxDelayMs = retryMaxDelayMs;
    return this;
  }

  /** How many deliveries may fail before an event is dead. */
  public int getRetryMaxAttempts() {
    return retryMaxAttempts;
  }

  /** Sets how many deliveries may fail before an event is dead, 1 or more. */
  public OutboxConfig setRetryMaxAttempts(int retryMaxAttempts) {
    this.retryMaxAttempts = retryMaxAttempts;
    return this;
  }

  /**
   * Checks all numbers.
   *
   * @return this
   * @throws IllegalArgumentException if any is out of range, naming all of them
   */
  public OutboxConfig validate() {
    new Problems("OutboxConfig")
        .require(dispatcherWorkers >= 1, "dispatcherWorkers", "be 1 or more", dispatcherWorkers)
        .require(hotQueueCapacity >= 1, "hotQueueCapacity", "be 1 or more", hotQueueCapacity)
        .require(coldQueueCapacity >= 1, "coldQueueCapacity", "be 1 or more", coldQueueCapacity)
        .require(pollerIntervalMs >= 1, "pollerIntervalMs", "be 1 or more", pollerIntervalMs)
        .require(pollerBatchSize >= 1, "pollerBatchSize", "be 1 or more", pollerBatchSize)
        .require(pollerSkipRecentMs >= 0, "pollerSkipRecentMs", "be 0 or more", pollerSkipRecentMs)
        .require(retryBaseDelayMs >= 1, "retryBaseDelayMs", "be 1 or more", retryBaseDelayMs)
        .require(
            retryMaxDelayMs >= retryBaseDelayMs,
            "retryMaxDelayMs",
            "be " + retryBaseDelayMs + " (retryBaseDelayMs) or more",
            retryMaxDelayMs)
        .require(retryMaxAttempts >= 1, "retryMaxAttempts", "be 1 or more", retryMaxAttempts)
        .throwIfAny();
    return this;
  }
}
