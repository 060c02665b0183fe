package outbox.dispatch;

import holdfast.id.UlidGenerator;
import holdfast.problems.Problems;
import holdfast.time.TimeSource;
import holdfast.work.HandlerTimeouts;
import holdfast.work.LeaseTimes;
import holdfast.work.Retries;
import holdfast.work.WorkSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import outbox.OutboxLifecycleListener;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventStore;
import outbox.spi.MetricsExporter;

/** Settings of an {@link OutboxDispatcher}. Not safe for use by many threads. */
public final class OutboxDispatcherBuilder {
  /** Events delivered at the same time unless configured: {@value}. */
  public static final int DEFAULT_WORKERS = 4;

  /** Events that may wait in each queue unless configured: {@value}. */
  public static final int DEFAULT_QUEUE_CAPACITY = 1_000;

  /** Bytes that events in flight may have in all unless configured: 16 MiB. */
  public static final long DEFAULT_MAX_IN_FLIGHT_BYTES = 16L << 20;

  /** Deliveries that may fail before an event is dead unless configured: {@value}. */
  public static final int DEFAULT_MAX_ATTEMPTS = 10;

  /** The time for closing unless configured. */
  public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(10);

  final ConnectionProvider connections;
  final EventStore store;
  final ListenerRegistry listeners;
  InFlightTracker inFlightTracker = new DefaultInFlightTracker();
  RetryPolicy retryPolicy =
      new ExponentialBackoffRetryPolicy(
          ExponentialBackoffRetryPolicy.DEFAULT_BASE_DELAY_MS,
          ExponentialBackoffRetryPolicy.DEFAULT_MAX_DELAY_MS);
  int maxAttempts = DEFAULT_MAX_ATTEMPTS;
  int workers = DEFAULT_WORKERS;
  int hotQueueCapacity = DEFAULT_QUEUE_CAPACITY;
  int coldQueueCapacity = DEFAULT_QUEUE_CAPACITY;
  long maxInFlightBytes = DEFAULT_MAX_IN_FLIGHT_BYTES;
  MetricsExporter metrics = MetricsExporter.NOOP;
  OutboxLifecycleListener lifecycleListener = OutboxLifecycleListener.NONE;
  LeaseSettings lease = LeaseSettings.of("node-" + UlidGenerator.shared().next());
  boolean leaseOnInsert;
  UnhandledPolicy unhandled = UnhandledPolicy.DEFAULT;
  Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;
  @Nullable Duration listenerTimeout;
  final Map<String, Duration> listenerTimeouts = new HashMap<>();
  TimeSource time = TimeSource.system();

  OutboxDispatcherBuilder(
      ConnectionProvider connections, EventStore store, ListenerRegistry listeners) {
    this.connections = connections;
    this.store = store;
    this.listeners = listeners;
  }

  /** Sets how many events are delivered at the same time, 1 or more. */
  public OutboxDispatcherBuilder workers(int workers) {
    this.workers = workers;
    return this;
  }

  /** Sets how many published events may wait, 1 or more. */
  public OutboxDispatcherBuilder hotQueueCapacity(int hotQueueCapacity) {
    this.hotQueueCapacity = hotQueueCapacity;
    return this;
  }

  /** Sets how many polled events may wait, 1 or more. */
  public OutboxDispatcherBuilder coldQueueCapacity(int coldQueueCapacity) {
    this.coldQueueCapacity = coldQueueCapacity;
    return this;
  }

  /**
   * Sets how many bytes the events in flight may have in all, 1 or more: those that wait in the
   * queues, are delivered, or await the record of their outcome. One event is always delivered,
   * however large. Default: 16 MiB.
   */
  public OutboxDispatcherBuilder maxInFlightBytes(long maxInFlightBytes) {
    this.maxInFlightBytes = maxInFlightBytes;
    return this;
  }

  /**
   * Sets how long a listener may run. After that its thread is interrupted and the delivery has
   * failed; the event is not delivered again before the listener returns. Default: no limit.
   */
  public OutboxDispatcherBuilder listenerTimeout(Duration timeout) {
    this.listenerTimeout = timeout;
    return this;
  }

  /** Sets the same for listeners of one type. */
  public OutboxDispatcherBuilder listenerTimeout(String eventType, Duration timeout) {
    this.listenerTimeouts.put(eventType, timeout);
    return this;
  }

  /** Sets how many deliveries may fail before an event is dead, 1 or more. */
  public OutboxDispatcherBuilder maxAttempts(int maxAttempts) {
    this.maxAttempts = maxAttempts;
    return this;
  }

  /** Sets how long to wait after a failure; replaces the exponential backoff. */
  public OutboxDispatcherBuilder retryPolicy(RetryPolicy retryPolicy) {
    this.retryPolicy = retryPolicy;
    return this;
  }

  /** Sets who remembers what is in flight; replaces the map without expiry. */
  public OutboxDispatcherBuilder inFlightTracker(InFlightTracker inFlightTracker) {
    this.inFlightTracker = inFlightTracker;
    return this;
  }

  /** Sets where to count; replaces counting nothing. */
  public OutboxDispatcherBuilder metrics(MetricsExporter metrics) {
    this.metrics = new GuardedMetrics(metrics);
    return this;
  }

  /**
   * Sets how this node holds events, and has them leased when they are inserted, so that no other
   * node touches what this one is about to deliver; replaces inserting without a lease.
   */
  public OutboxDispatcherBuilder lease(LeaseSettings lease) {
    this.lease = lease;
    this.leaseOnInsert = true;
    return this;
  }

  /** Sets what happens to events nobody listens to; replaces {@link UnhandledPolicy#DEFAULT}. */
  public OutboxDispatcherBuilder unhandled(UnhandledPolicy unhandled) {
    this.unhandled = unhandled;
    return this;
  }

  /** Sets the listener for lifecycle events. Default: none. */
  public OutboxDispatcherBuilder lifecycleListener(OutboxLifecycleListener listener) {
    this.lifecycleListener = listener;
    return this;
  }

  /** Sets the time for {@link OutboxDispatcher#close()}, zero or more. */
  public OutboxDispatcherBuilder closeTimeout(Duration closeTimeout) {
    this.closeTimeout = closeTimeout;
    return this;
  }

  /** Sets the clock; replaces the system's. */
  public OutboxDispatcherBuilder time(TimeSource time) {
    this.time = time;
    return this;
  }

  /**
   * Builds the dispatcher and starts its threads.
   *
   * @return a running dispatcher
   * @throws IllegalArgumentException if a number is out of range, naming all of them
   */
  public OutboxDispatcher build() {
    OutboxDispatcher dispatcher = buildUnstarted();
    dispatcher.start();
    return dispatcher;
  }

  /**
   * Builds the dispatcher without starting a thread. Until {@link OutboxDispatcher#start()} it
   * delivers nothing, and events are inserted without a lease, for other nodes to deliver.
   *
   * @return a dispatcher that is not started
   * @throws IllegalArgumentException if a number is out of range, naming all of them
   */
  public OutboxDispatcher buildUnstarted() {
    return new OutboxDispatcher(this);
  }

  WorkSettings settings(LeaseTimes times) {
    Retries retries =
        new Retries(
            maxAttempts, failures -> Duration.ofMillis(retryPolicy.computeDelayMs(failures)));
    return new WorkSettings(
        "outbox", workers, hotQueueCapacity, coldQueueCapacity, times, timeouts(), retries, true);
  }

  private HandlerTimeouts timeouts() {
    return new HandlerTimeouts(listenerTimeout, listenerTimeouts);
  }

  void check() {
    Problems problems = new Problems("OutboxDispatcher");
    timeouts().check(problems, "listenerTimeout");
    problems
        .require(maxAttempts >= 1, "maxAttempts", "be 1 or more", maxAttempts)
        .require(workers >= 1, "workerCount", "be 1 or more", workers)
        .require(hotQueueCapacity >= 1, "hotQueueCapacity", "be 1 or more", hotQueueCapacity)
        .require(coldQueueCapacity >= 1, "coldQueueCapacity", "be 1 or more", coldQueueCapacity)
        .require(maxInFlightBytes >= 1, "maxInFlightBytes", "be 1 or more", maxInFlightBytes)
        .require(!closeTimeout.isNegative(), "closeTimeout", "be zero or more", closeTimeout)
        .throwIfAny();
  }
}
