package outbox.dispatch;

import holdfast.id.UlidGenerator;
import holdfast.problems.Problems;
import holdfast.time.TimeSource;
import holdfast.work.HandlerTimeouts;
import holdfast.work.LeaseTimes;
import holdfast.work.Nodes;
import holdfast.work.Retries;
import holdfast.work.WorkSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToIntFunction;
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

  /** How long an event may fail before it is dead, where entry points limit it: 24 hours. */
  public static final Duration DEFAULT_RETRY_FOR = Duration.ofHours(24);

  /** Nodes that may die while they deliver an event, unless configured: {@value}. */
  public static final int DEFAULT_MAX_LAPSES = 10;

  /** The time for closing unless configured. */
  public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(10);

  final ConnectionProvider connections;
  final EventStore store;
  final ListenerRegistry listeners;
  InFlightTracker inFlightTracker = new DefaultInFlightTracker();
  private @Nullable RetryPolicy retryPolicy;
  private final Map<String, RetryPolicy> retryPolicies = new HashMap<>();
  private @Nullable Duration retryFor;
  private @Nullable Integer maxAttempts;
  int maxLapses = DEFAULT_MAX_LAPSES;
  int workers = DEFAULT_WORKERS;
  final Map<String, Integer> concurrency = new HashMap<>();
  int hotQueueCapacity = DEFAULT_QUEUE_CAPACITY;
  int coldQueueCapacity = DEFAULT_QUEUE_CAPACITY;
  long maxInFlightBytes = DEFAULT_MAX_IN_FLIGHT_BYTES;
  MetricsExporter metrics = MetricsExporter.NOOP;
  OutboxLifecycleListener lifecycleListener = OutboxLifecycleListener.NONE;
  LeaseSettings lease = LeaseSettings.of("node-" + UlidGenerator.shared().next());
  boolean leaseOnInsert;
  UnhandledPolicy unhandled = UnhandledPolicy.DEFAULT;
  Runnable afterListener = () -> {};
  Nodes nodes = Nodes.ALONE;
  Runnable wakeOthers = () -> {};
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

  /**
   * Sets how many events of a type are delivered at the same time, 1 or more; of a {@link
   * outbox.BatchEventListener}, how many batches. Default: no limit, and 256 for an {@link
   * outbox.AsyncEventListener}.
   */
  public OutboxDispatcherBuilder concurrency(String eventType, int most) {
    this.concurrency.put(Objects.requireNonNull(eventType, "eventType"), most);
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
    this.listenerTimeout = Objects.requireNonNull(timeout, "listenerTimeout");
    return this;
  }

  /** Sets the same for listeners of one type. */
  public OutboxDispatcherBuilder listenerTimeout(String eventType, Duration timeout) {
    this.listenerTimeouts.put(
        Objects.requireNonNull(eventType, "eventType"), Objects.requireNonNull(timeout, "timeout"));
    return this;
  }

  /**
   * Sets what runs after each listener, on its thread; what it throws is the listener's failure.
   * Default: nothing.
   */
  public OutboxDispatcherBuilder afterListener(Runnable check) {
    this.afterListener = Objects.requireNonNull(check, "afterListener");
    return this;
  }

  /**
   * Sets what wakes other nodes, called after the commit of events that this node may not deliver:
   * it is not started, or has no room for them. Must be quick and not throw. Default: nothing.
   */
  public OutboxDispatcherBuilder wakeOthers(Runnable wakeOthers) {
    this.wakeOthers = Objects.requireNonNull(wakeOthers, "wakeOthers");
    return this;
  }

  /**
   * Sets how many deliveries may fail before an event is dead, 1 or more. Default: 10; none for
   * events that {@link #retryFor} limits.
   */
  public OutboxDispatcherBuilder maxAttempts(int maxAttempts) {
    this.maxAttempts = maxAttempts;
    return this;
  }

  /**
   * Sets how long after its first failed delivery an event is dead, by the database's clock; more
   * than zero. Then delays grow to 10 minutes unless a policy is set, {@code RetryAfterException}
   * costs no attempt, and the first success of a type makes its waiting retries due. Default: no
   * limit in time. Without effect where the store does not lease events.
   */
  public OutboxDispatcherBuilder retryFor(Duration retryFor) {
    this.retryFor = Objects.requireNonNull(retryFor, "retryFor");
    return this;
  }

  /** Sets how many nodes may die while they deliver an event before it is dead, 1 or more. */
  public OutboxDispatcherBuilder maxLapses(int maxLapses) {
    this.maxLapses = maxLapses;
    return this;
  }

  /** Sets whether and when failed events of one type are delivered again. */
  public OutboxDispatcherBuilder retryPolicy(String eventType, RetryPolicy retryPolicy) {
    this.retryPolicies.put(
        Objects.requireNonNull(eventType, "eventType"),
        Objects.requireNonNull(retryPolicy, "retryPolicy"));
    return this;
  }

  /** Sets how long to wait after a failure; replaces the exponential backoff. */
  public OutboxDispatcherBuilder retryPolicy(RetryPolicy retryPolicy) {
    this.retryPolicy = Objects.requireNonNull(retryPolicy, "retryPolicy");
    return this;
  }

  /** Sets who remembers what is in flight; replaces the map without expiry. */
  public OutboxDispatcherBuilder inFlightTracker(InFlightTracker inFlightTracker) {
    this.inFlightTracker = Objects.requireNonNull(inFlightTracker, "inFlightTracker");
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
    this.lease = Objects.requireNonNull(lease, "lease");
    this.leaseOnInsert = true;
    return this;
  }

  /** Sets what happens to events nobody listens to; replaces {@link UnhandledPolicy#DEFAULT}. */
  public OutboxDispatcherBuilder unhandled(UnhandledPolicy unhandled) {
    this.unhandled = Objects.requireNonNull(unhandled, "unhandled");
    return this;
  }

  /** Sets the listener for lifecycle events. Default: none. */
  public OutboxDispatcherBuilder lifecycleListener(OutboxLifecycleListener listener) {
    this.lifecycleListener = Objects.requireNonNull(listener, "lifecycleListener");
    return this;
  }

  /** Sets the time for {@link OutboxDispatcher#close()}, zero or more. */
  public OutboxDispatcherBuilder closeTimeout(Duration closeTimeout) {
    this.closeTimeout = Objects.requireNonNull(closeTimeout, "closeTimeout");
    return this;
  }

  /** Sets what this node knows of others that share the table. Default: it knows of none. */
  public OutboxDispatcherBuilder nodes(Nodes nodes) {
    this.nodes = Objects.requireNonNull(nodes, "nodes");
    return this;
  }

  /** Returns the name of this node. */
  public String node() {
    return lease.node();
  }

  /** Sets the clock; replaces the system's. */
  public OutboxDispatcherBuilder time(TimeSource time) {
    this.time = Objects.requireNonNull(time, "time");
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

  WorkSettings settings(LeaseTimes times, ToIntFunction<String> concurrency) {
    return new WorkSettings(
        "outbox",
        "listener",
        workers,
        hotQueueCapacity,
        coldQueueCapacity,
        concurrency,
        times,
        timeouts(),
        retries(),
        WorkSettings.types(List.of(this.concurrency, listenerTimeouts, retryPolicies)),
        true);
  }

  /** Where time limits retries, attempts do not, and delays may grow longer. */
  private Retries retries() {
    RetryPolicy byTime = usual(ExponentialBackoffRetryPolicy.LONG_MAX_DELAY_MS);
    RetryPolicy byAttempts = usual(ExponentialBackoffRetryPolicy.DEFAULT_MAX_DELAY_MS);
    Map<String, RetryPolicy> byType = Map.copyOf(retryPolicies);
    Duration limit = retryFor;
    Integer most = maxAttempts;
    return new Retries(
        (item, failures, failure) -> {
          boolean timed = limit != null && item.isFailingTimeKept();
          int mostAttempts = timed ? Integer.MAX_VALUE : DEFAULT_MAX_ATTEMPTS;
          if (failures >= (most == null ? mostAttempts : most)) {
            return Optional.empty();
          }
          RetryPolicy usual = timed ? byTime : byAttempts;
          return byType.getOrDefault(item.type(), usual).delay(failures, failure);
        },
        limit);
  }

  private RetryPolicy usual(long maxDelayMs) {
    long base = ExponentialBackoffRetryPolicy.DEFAULT_BASE_DELAY_MS;
    return retryPolicy == null ? new ExponentialBackoffRetryPolicy(base, maxDelayMs) : retryPolicy;
  }

  private HandlerTimeouts timeouts() {
    return new HandlerTimeouts(listenerTimeout, listenerTimeouts);
  }

  /** Adds the settings that are out of range. */
  public void check(Problems problems) {
    problems.requireCount("workers", WorkSettings.MAX_WORKERS, workers);
    timeouts().check(problems, "listenerTimeout");
    WorkSettings.checkConcurrency(concurrency, problems);
    problems
        .require(
            maxAttempts == null || maxAttempts >= 1, "maxAttempts", "be 1 or more", maxAttempts)
        .require(maxLapses >= 1, "maxLapses", "be 1 or more", maxLapses)
        .requirePositive("retryFor", retryFor)
        .requireCount("hotQueueCapacity", WorkSettings.MAX_QUEUED, hotQueueCapacity)
        .requireCount("coldQueueCapacity", WorkSettings.MAX_QUEUED, coldQueueCapacity)
        .require(maxInFlightBytes >= 1, "maxInFlightBytes", "be 1 or more", maxInFlightBytes)
        .requireZeroOrMore("closeTimeout", closeTimeout);
  }
}
