package outbox.jdbc;

import holdfast.id.UlidGenerator;
import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Dialect;
import holdfast.problems.Problems;
import holdfast.work.HandlerTimeouts;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import outbox.EventListener;
import outbox.EventType;
import outbox.OutboxClient;
import outbox.OutboxConfig;
import outbox.OutboxException;
import outbox.OutboxLifecycleListener;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.LeaseSettings;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.OutboxDispatcherBuilder;
import outbox.dispatch.RetryPolicy;
import outbox.dispatch.UnhandledPolicy;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.registry.ListenerRegistry;
import outbox.spi.MetricsExporter;
import outbox.spi.TraceContext;
import outbox.spi.TxContext;

/** Settings of a {@link JdbcOutbox}. Not safe for use by many threads. */
public final class JdbcOutboxBuilder {
  private static final Duration WITHOUT_LEASES =
      Duration.ofMillis(OutboxPoller.DEFAULT_SKIP_RECENT_MS);

  private final DataSource dataSource;
  private final DefaultListenerRegistry listeners = new DefaultListenerRegistry();
  private final ThreadLocalTxContext ownTransactions = new ThreadLocalTxContext();
  private final DataSourceConnectionProvider connections;
  private JdbcOutboxSettings settings = JdbcOutboxSettings.DEFAULT;
  private LeaseSettings lease = LeaseSettings.of("node-" + UlidGenerator.shared().next());
  private @Nullable TxContext txContext;
  private MetricsExporter metrics = MetricsExporter.NOOP;
  private OutboxLifecycleListener lifecycleListener = OutboxLifecycleListener.NONE;
  private TraceContext traceContext = TraceContext.NONE;
  private @Nullable RetryPolicy retryPolicy;
  private UnhandledPolicy unhandled = UnhandledPolicy.DEFAULT;
  private int workers = OutboxDispatcherBuilder.DEFAULT_WORKERS;
  private int hotQueueCapacity = OutboxDispatcherBuilder.DEFAULT_QUEUE_CAPACITY;
  private @Nullable Duration listenerTimeout;
  private final Map<String, Duration> listenerTimeouts = new HashMap<>();
  private long maxInFlightBytes = OutboxDispatcherBuilder.DEFAULT_MAX_IN_FLIGHT_BYTES;
  private int coldQueueCapacity = OutboxDispatcherBuilder.DEFAULT_QUEUE_CAPACITY;
  private int maxAttempts = OutboxDispatcherBuilder.DEFAULT_MAX_ATTEMPTS;
  private Duration closeTimeout = OutboxDispatcherBuilder.DEFAULT_CLOSE_TIMEOUT;
  private @Nullable ListenerRegistry otherListeners;
  private Duration pollSkipRecent = Duration.ZERO;
  private Duration pollInterval = Duration.ofMillis(OutboxPoller.DEFAULT_INTERVAL_MS);
  private int batchSize = OutboxPoller.DEFAULT_BATCH_SIZE;
  private boolean createTables;
  private boolean pollerEnabled = true;
  private boolean publishOnly;
  private @Nullable Duration retention;

  JdbcOutboxBuilder(DataSource dataSource) {
    this.dataSource = dataSource;
    this.connections = new DataSourceConnectionProvider(dataSource);
  }

  /** Adds a listener for a type; listeners run in the order they were added. */
  public JdbcOutboxBuilder listener(String eventType, EventListener listener) {
    listeners.register(eventType, listener);
    return this;
  }

  /** Adds a listener for a type; listeners run in the order they were added. */
  public JdbcOutboxBuilder listener(EventType eventType, EventListener listener) {
    listeners.register(eventType, listener);
    return this;
  }

  /** Adds a listener for all types, which runs after those of the exact type. */
  public JdbcOutboxBuilder listenerForAll(EventListener listener) {
    listeners.registerAll(listener);
    return this;
  }

  /** Sets who finds the listeners of a type; replaces those added here. */
  public JdbcOutboxBuilder listeners(ListenerRegistry listeners) {
    this.otherListeners = listeners;
    return this;
  }

  /** Has the tables created if they are missing; replaces expecting them. */
  public JdbcOutboxBuilder createTables() {
    this.createTables = true;
    return this;
  }

  /** Sets the table, {@code table} or {@code schema.table}. */
  public JdbcOutboxBuilder table(String table) {
    this.settings = settings.withTable(OutboxTable.named(table));
    return this;
  }

  /** Sets the dialect by its name; replaces asking the database. */
  public JdbcOutboxBuilder dialect(String name) {
    this.settings = settings.withDialect(Dialect.named(name));
    return this;
  }

  /** Sets what a dead event does to the ordered events after it; replaces {@code BLOCK}. */
  public JdbcOutboxBuilder onDead(OnDead onDead) {
    this.settings = settings.withOnDead(onDead);
    return this;
  }

  /** Moves the database's clock, for tests of what takes time. */
  JdbcOutboxBuilder clockOffset(Duration offset) {
    this.settings = settings.withClock(DatabaseClock.offBy(() -> offset));
    return this;
  }

  /** Sets how this node holds events; its name must be unique among all nodes. */
  public JdbcOutboxBuilder lease(LeaseSettings lease) {
    this.lease = lease;
    return this;
  }

  /**
   * Sets whose transactions events join; replaces those begun with {@link JdbcOutbox#begin}, which
   * then throws.
   */
  public JdbcOutboxBuilder txContext(TxContext txContext) {
    this.txContext = txContext;
    return this;
  }

  /** Sets where to count. */
  public JdbcOutboxBuilder metrics(MetricsExporter metrics) {
    this.metrics = metrics;
    return this;
  }

  /** Sets the listener for lifecycle events. Default: none. */
  public JdbcOutboxBuilder lifecycleListener(OutboxLifecycleListener listener) {
    this.lifecycleListener = listener;
    return this;
  }

  /** Sets where the current trace is found. */
  public JdbcOutboxBuilder traceContext(TraceContext traceContext) {
    this.traceContext = traceContext;
    return this;
  }

  /** Sets how long to wait after a failure; replaces the exponential backoff. */
  public JdbcOutboxBuilder retryPolicy(RetryPolicy retryPolicy) {
    this.retryPolicy = retryPolicy;
    return this;
  }

  /** Sets what happens to events nobody listens to. */
  public JdbcOutboxBuilder unhandled(UnhandledPolicy unhandled) {
    this.unhandled = unhandled;
    return this;
  }

  /** Sets how many events are delivered at the same time, 1 or more. */
  public JdbcOutboxBuilder workers(int workers) {
    this.workers = workers;
    return this;
  }

  /** Sets how many published events may wait, 1 or more. */
  public JdbcOutboxBuilder hotQueueCapacity(int hotQueueCapacity) {
    this.hotQueueCapacity = hotQueueCapacity;
    return this;
  }

  /** Sets how many polled events may wait, 1 or more. */
  public JdbcOutboxBuilder coldQueueCapacity(int coldQueueCapacity) {
    this.coldQueueCapacity = coldQueueCapacity;
    return this;
  }

  /** Sets how many deliveries may fail before an event is dead, 1 or more. */
  public JdbcOutboxBuilder maxAttempts(int maxAttempts) {
    this.maxAttempts = maxAttempts;
    return this;
  }

  /** Sets the time for {@link JdbcOutbox#close()}, zero or more. Default: 10 seconds. */
  public JdbcOutboxBuilder closeTimeout(Duration closeTimeout) {
    this.closeTimeout = closeTimeout;
    return this;
  }

  /** Sets how often to look into the table at least. */
  public JdbcOutboxBuilder pollInterval(Duration pollInterval) {
    this.pollInterval = pollInterval;
    return this;
  }

  /**
   * Sets how old an event must be to be fetched; zero, the default, means any age where leases
   * protect new ones, and a second on the plain table.
   */
  public JdbcOutboxBuilder pollSkipRecent(Duration pollSkipRecent) {
    this.pollSkipRecent = pollSkipRecent;
    return this;
  }

  /**
   * Sets how many bytes the events in flight may have in all, 1 or more: those that wait in the
   * queues, are delivered, or await the record of their outcome. One event is always delivered,
   * however large. Default: 16 MiB.
   */
  public JdbcOutboxBuilder maxInFlightBytes(long maxInFlightBytes) {
    this.maxInFlightBytes = maxInFlightBytes;
    return this;
  }

  /**
   * Sets how long a listener may run. After that its thread is interrupted and the delivery has
   * failed; the event is not delivered again before the listener returns, and another thread takes
   * the worker's place. Default: no limit.
   */
  public JdbcOutboxBuilder listenerTimeout(Duration timeout) {
    this.listenerTimeout = timeout;
    return this;
  }

  /** Sets the same for listeners of one type. */
  public JdbcOutboxBuilder listenerTimeout(String eventType, Duration timeout) {
    this.listenerTimeouts.put(eventType, timeout);
    return this;
  }

  /** Sets how many events to fetch from the table at a time, 1 or more. */
  public JdbcOutboxBuilder batchSize(int batchSize) {
    this.batchSize = batchSize;
    return this;
  }

  /** Sets all numbers of a configuration; replaces those set before. */
  public JdbcOutboxBuilder config(OutboxConfig config) {
    return pollerEnabled(config.validate().isPollerEnabled())
        .workers(config.getDispatcherWorkers())
        .hotQueueCapacity(config.getHotQueueCapacity())
        .coldQueueCapacity(config.getColdQueueCapacity())
        .pollInterval(Duration.ofMillis(config.getPollerIntervalMs()))
        .batchSize(config.getPollerBatchSize())
        .pollSkipRecent(Duration.ofMillis(config.getPollerSkipRecentMs()))
        .maxAttempts(config.getRetryMaxAttempts())
        .retryPolicy(
            new ExponentialBackoffRetryPolicy(
                config.getRetryBaseDelayMs(), config.getRetryMaxDelayMs()));
  }

  /**
   * Sets whether this node polls the table. Without its poller it delivers what it publishes, and
   * leaves retries and what other nodes published to them. Default: true.
   */
  public JdbcOutboxBuilder pollerEnabled(boolean pollerEnabled) {
    this.pollerEnabled = pollerEnabled;
    return this;
  }

  /** Makes this node publish only; other nodes deliver. A retention still purges here. */
  public JdbcOutboxBuilder publishOnly() {
    this.publishOnly = true;
    return this;
  }

  /** Sets how long DONE events are kept; older ones are purged from time to time. */
  public JdbcOutboxBuilder retention(Duration done) {
    new Problems("JdbcOutbox")
        .require(!done.isNegative(), "retention", "be zero or more", done)
        .throwIfAny();
    this.retention = done;
    return this;
  }

  /**
   * Builds the outbox. No thread is started; {@link JdbcOutbox#start()} does that.
   *
   * @return the outbox, not started
   * @throws IllegalArgumentException if a setting is out of range or the database not supported
   * @throws OutboxException if the database cannot be reached, or a table is not as it must be
   */
  public JdbcOutbox build() {
    check();
    if (createTables) {
      OutboxSchema.createIfMissing(dataSource, settings.table().toString());
    }
    JdbcOutboxRepository store = new JdbcOutboxRepository(settings);
    Duration skipRecent =
        store.requireTables(dataSource, !publishOnly || retention != null)
                || !pollSkipRecent.isZero()
            ? pollSkipRecent
            : WITHOUT_LEASES;
    OutboxDispatcher dispatcher = dispatcher(store);
    OutboxPoller poller =
        new OutboxPoller(
            connections,
            store,
            dispatcher,
            skipRecent,
            batchSize,
            pollInterval.toMillis(),
            metrics);
    TxContext context = txContext == null ? ownTransactions : txContext;
    return new JdbcOutbox(
        new OutboxClient(context, store, dispatcher, metrics, traceContext),
        txContext == null ? new JdbcTransactionManager(connections, ownTransactions) : null,
        dispatcher,
        poller,
        Maintenance.of(dataSource, store, settings, poller::wakeUp, dispatcher.outage(), retention),
        role(),
        closeTimeout);
  }

  private JdbcOutbox.Role role() {
    if (publishOnly) {
      return JdbcOutbox.Role.PUBLISH_ONLY;
    }
    return pollerEnabled ? JdbcOutbox.Role.FULL : JdbcOutbox.Role.WITHOUT_POLLER;
  }

  /** All at once and before anything is created or started. */
  private void check() {
    Problems problems = new Problems("JdbcOutbox");
    new HandlerTimeouts(listenerTimeout, listenerTimeouts).check(problems, "listenerTimeout");
    problems
        .require(workers >= 1, "workers", "be 1 or more", workers)
        .require(hotQueueCapacity >= 1, "hotQueueCapacity", "be 1 or more", hotQueueCapacity)
        .require(maxInFlightBytes >= 1, "maxInFlightBytes", "be 1 or more", maxInFlightBytes)
        .require(coldQueueCapacity >= 1, "coldQueueCapacity", "be 1 or more", coldQueueCapacity)
        .require(maxAttempts >= 1, "maxAttempts", "be 1 or more", maxAttempts)
        .require(!closeTimeout.isNegative(), "closeTimeout", "be zero or more", closeTimeout)
        .require(pollInterval.toMillis() >= 1, "pollInterval", "be 1 ms or more", pollInterval)
        .require(!pollSkipRecent.isNegative(), "pollSkipRecent", "be zero or more", pollSkipRecent)
        .require(batchSize >= 1, "batchSize", "be 1 or more", batchSize)
        .throwIfAny();
  }

  private OutboxDispatcher dispatcher(JdbcOutboxRepository store) {
    OutboxDispatcherBuilder builder =
        OutboxDispatcher.builder(
                connections,
                store,
                new TransactionLeakGuard(
                    otherListeners == null ? listeners : otherListeners, ownTransactions))
            .lease(lease)
            .metrics(metrics)
            .lifecycleListener(lifecycleListener)
            .unhandled(unhandled)
            .workers(workers)
            .hotQueueCapacity(hotQueueCapacity)
            .maxInFlightBytes(maxInFlightBytes)
            .coldQueueCapacity(coldQueueCapacity)
            .maxAttempts(maxAttempts)
            .closeTimeout(closeTimeout);
    if (retryPolicy != null) {
      builder.retryPolicy(retryPolicy);
    }
    if (listenerTimeout != null) {
      builder.listenerTimeout(listenerTimeout);
    }
    listenerTimeouts.forEach(builder::listenerTimeout);
    return builder.buildUnstarted();
  }
}
