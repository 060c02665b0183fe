package outbox.jdbc;

import holdfast.id.UlidGenerator;
import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Dialect;
import holdfast.jdbc.NodeTables;
import holdfast.jdbc.PostgreSqlWakeUp;
import holdfast.jdbc.WakeUp;
import holdfast.payload.PayloadEventHandler;
import holdfast.payload.PayloadHandler;
import holdfast.payload.Payloads;
import holdfast.problems.Problems;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import outbox.AsyncEventListener;
import outbox.BatchEventListener;
import outbox.EventEnvelope;
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
  private final DataSource dataSource;
  private final AddedListeners listeners = new AddedListeners();
  private Payloads payloads = Payloads.discovered();
  private final ThreadLocalTxContext ownTransactions = new ThreadLocalTxContext();
  private final DataSourceConnectionProvider connections;
  private JdbcOutboxSettings settings = JdbcOutboxSettings.DEFAULT;
  private Consumer<OutboxDispatcherBuilder> delivery =
      b ->
          b.lease(LeaseSettings.of("node-" + UlidGenerator.shared().next()))
              .retryFor(OutboxDispatcherBuilder.DEFAULT_RETRY_FOR);
  private @Nullable TxContext txContext;
  private MetricsExporter metrics = MetricsExporter.NOOP;
  private TraceContext traceContext = TraceContext.NONE;
  private Duration closeTimeout = OutboxDispatcherBuilder.DEFAULT_CLOSE_TIMEOUT;
  private TimeSource time = TimeSource.system();
  private final PollSettings polling = new PollSettings();
  private @Nullable String wrongTable;
  private boolean createTables;
  private boolean pollerEnabled = true;
  private boolean publishOnly;
  private WakeUp wakeUp = WakeUp.ON;
  private @Nullable Duration retention;

  JdbcOutboxBuilder(DataSource dataSource) {
    this.dataSource = dataSource;
    this.connections = new DataSourceConnectionProvider(dataSource);
  }

  /** Adds a listener for a type; listeners run in the order they were added. */
  public JdbcOutboxBuilder listener(String eventType, EventListener listener) {
    listeners.add(eventType, listener);
    return this;
  }

  /** Adds a listener for a type; listeners run in the order they were added. */
  public JdbcOutboxBuilder listener(EventType eventType, EventListener listener) {
    return listener(Objects.requireNonNull(eventType, "eventType").name(), listener);
  }

  /** Adds a listener for the type of a payload class, which is given the payload. */
  public <P> JdbcOutboxBuilder listener(Class<P> payload, PayloadHandler<? super P> listener) {
    Objects.requireNonNull(listener, "listener needs a listener but was given null");
    return listener(payload, (read, event) -> listener.handle(read));
  }

  /** Adds a listener for the type of a payload class, which is given the payload and the event. */
  public <P> JdbcOutboxBuilder listener(
      Class<P> payload, PayloadEventHandler<? super P, EventEnvelope> listener) {
    listeners.add(payload, listener);
    return this;
  }

  /** Sets payload classes and their mapper; replaces the mapper found on the class path. */
  public JdbcOutboxBuilder payloads(Payloads payloads) {
    this.payloads = Objects.requireNonNull(payloads, "payloads");
    return this;
  }

  /** Adds a listener whose worker does not wait for it; otherwise as the others. */
  public JdbcOutboxBuilder asyncListener(String eventType, AsyncEventListener listener) {
    return listener(eventType, listener);
  }

  /** Adds a listener that takes several events at a time; otherwise as the others. */
  public JdbcOutboxBuilder batchListener(String eventType, BatchEventListener listener) {
    return listener(eventType, listener);
  }

  /** Adds a listener for all types, which runs after those of the exact type. */
  public JdbcOutboxBuilder listenerForAll(EventListener listener) {
    return listener(DefaultListenerRegistry.ALL_TYPES, listener);
  }

  /** Sets who finds the listeners of a type; replaces those added here. */
  public JdbcOutboxBuilder listeners(ListenerRegistry listeners) {
    this.listeners.replaceBy(listeners);
    return this;
  }

  /** Has the tables created if they are missing; replaces expecting them. */
  public JdbcOutboxBuilder createTables() {
    this.createTables = true;
    return this;
  }

  /** Sets the table, {@code table} or {@code schema.table}; {@link #build} checks the name. */
  public JdbcOutboxBuilder table(String table) {
    try {
      this.settings = settings.withTable(OutboxTable.named(table));
      this.wrongTable = null;
    } catch (IllegalArgumentException e) { // named by build(), with all other mistakes
      this.wrongTable = e.getMessage();
    }
    return this;
  }

  /** Sets the dialect by its name; replaces asking the database. */
  public JdbcOutboxBuilder dialect(String name) {
    this.settings = settings.withDialect(Dialect.named(name));
    return this;
  }

  /** Sets what a dead event does to the ordered events after it; replaces {@code BLOCK}. */
  public JdbcOutboxBuilder onDead(OnDead onDead) {
    this.settings = settings.withOnDead(Objects.requireNonNull(onDead, "onDead"));
    return this;
  }

  /** Sets the clock that listeners, leases and intervals are measured by; for tests. */
  public JdbcOutboxBuilder timeSource(TimeSource time) {
    this.time = Objects.requireNonNull(time, "timeSource");
    return delivery(b -> b.time(time));
  }

  /** Moves the database's clock, for tests of what takes time. */
  JdbcOutboxBuilder clockOffset(Supplier<Duration> offset) {
    this.settings = settings.withClock(DatabaseClock.offBy(offset));
    return this;
  }

  /** Sets how this node holds events; its name must be unique among all nodes. */
  public JdbcOutboxBuilder lease(LeaseSettings lease) {
    return delivery(b -> b.lease(lease));
  }

  /** Sets whose transactions events join; {@link JdbcOutbox#begin} throws then. */
  public JdbcOutboxBuilder txContext(TxContext txContext) {
    this.txContext = Objects.requireNonNull(txContext, "txContext");
    return this;
  }

  private JdbcOutboxBuilder delivery(Consumer<OutboxDispatcherBuilder> setting) {
    this.delivery = delivery.andThen(setting);
    return this;
  }

  /** Sets where to count. */
  public JdbcOutboxBuilder metrics(MetricsExporter metrics) {
    this.metrics = Objects.requireNonNull(metrics, "metrics");
    return this;
  }

  /** Sets the listener for lifecycle events. Default: none. */
  public JdbcOutboxBuilder lifecycleListener(OutboxLifecycleListener listener) {
    return delivery(b -> b.lifecycleListener(listener));
  }

  /** Sets where the current trace is found. */
  public JdbcOutboxBuilder traceContext(TraceContext traceContext) {
    this.traceContext = Objects.requireNonNull(traceContext, "traceContext");
    return this;
  }

  /**
   * Sets whether and when a failed event is delivered again. Default: after 200 ms, doubled with
   * each failure up to 10 minutes; on the plain table up to 1 minute, and 10 times.
   */
  public JdbcOutboxBuilder retryPolicy(RetryPolicy retryPolicy) {
    return delivery(b -> b.retryPolicy(retryPolicy));
  }

  /** Sets the same for events of one type. */
  public JdbcOutboxBuilder retryPolicy(String eventType, RetryPolicy retryPolicy) {
    return delivery(b -> b.retryPolicy(eventType, retryPolicy));
  }

  /** Sets how long after its first failed delivery an event is dead. Default: 24 hours. */
  public JdbcOutboxBuilder retryFor(Duration retryFor) {
    return delivery(b -> b.retryFor(retryFor));
  }

  /** Sets what happens to events nobody listens to. */
  public JdbcOutboxBuilder unhandled(UnhandledPolicy unhandled) {
    return delivery(b -> b.unhandled(unhandled));
  }

  /** Sets how many events are delivered at the same time, 1 or more. */
  public JdbcOutboxBuilder workers(int workers) {
    return delivery(b -> b.workers(workers));
  }

  /**
   * Sets how many events of a type are delivered at the same time, 1 or more; of a {@link
   * outbox.BatchEventListener}, how many batches. Default: no limit, and 256 for an {@link
   * outbox.AsyncEventListener}.
   */
  public JdbcOutboxBuilder concurrency(String eventType, int most) {
    return delivery(b -> b.concurrency(eventType, most));
  }

  /** Sets how many published events may wait, 1 or more. */
  public JdbcOutboxBuilder hotQueueCapacity(int hotQueueCapacity) {
    return delivery(b -> b.hotQueueCapacity(hotQueueCapacity));
  }

  /** Sets how many polled events may wait, 1 or more. */
  public JdbcOutboxBuilder coldQueueCapacity(int coldQueueCapacity) {
    return delivery(b -> b.coldQueueCapacity(coldQueueCapacity));
  }

  /** Sets how many deliveries may fail before an event is dead, 1 or more. Default: no limit. */
  public JdbcOutboxBuilder maxAttempts(int maxAttempts) {
    return delivery(b -> b.maxAttempts(maxAttempts));
  }

  /** Sets how many nodes may die with an event before it is dead, 1 or more. Default: 10. */
  public JdbcOutboxBuilder maxLapses(int maxLapses) {
    return delivery(b -> b.maxLapses(maxLapses));
  }

  /** Sets the time for {@link JdbcOutbox#close()}, zero or more. Default: 10 seconds. */
  public JdbcOutboxBuilder closeTimeout(Duration closeTimeout) {
    this.closeTimeout = Objects.requireNonNull(closeTimeout, "closeTimeout");
    return this;
  }

  /** Sets how often to poll the table at least. */
  public JdbcOutboxBuilder pollInterval(Duration pollInterval) {
    polling.interval = Objects.requireNonNull(pollInterval, "pollInterval");
    return this;
  }

  /** Sets how old an event must be to be fetched. Default: any age; a second on a plain table. */
  public JdbcOutboxBuilder pollSkipRecent(Duration pollSkipRecent) {
    polling.skipRecent = Objects.requireNonNull(pollSkipRecent, "pollSkipRecent");
    return this;
  }

  /**
   * Sets how many bytes the events that are queued, delivered or awaiting the record of their
   * outcome may have in all, 1 or more. One event is always delivered. Default: 16 MiB.
   */
  public JdbcOutboxBuilder maxInFlightBytes(long maxInFlightBytes) {
    return delivery(b -> b.maxInFlightBytes(maxInFlightBytes));
  }

  /**
   * Sets how long a listener may run; then its thread is interrupted and replaced, and the delivery
   * has failed. The next one does not begin before the listener returns. Default: no limit.
   */
  public JdbcOutboxBuilder listenerTimeout(Duration timeout) {
    return delivery(b -> b.listenerTimeout(timeout));
  }

  /** Sets the same for listeners of one type. */
  public JdbcOutboxBuilder listenerTimeout(String eventType, Duration timeout) {
    return delivery(b -> b.listenerTimeout(eventType, timeout));
  }

  /** Sets how many events to fetch from the table at a time, 1 or more. */
  public JdbcOutboxBuilder batchSize(int batchSize) {
    polling.batchSize = batchSize;
    return this;
  }

  /** Sets all numbers of a configuration; replaces those set before. */
  public JdbcOutboxBuilder config(OutboxConfig config) {
    return pollerEnabled(Objects.requireNonNull(config, "config").validate().isPollerEnabled())
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

  /** Sets whether this node polls the table for retries and events of others. Default: true. */
  public JdbcOutboxBuilder pollerEnabled(boolean pollerEnabled) {
    this.pollerEnabled = pollerEnabled;
    return this;
  }

  /** Makes this node publish only. Once started, it wakes those that deliver, and purges. */
  public JdbcOutboxBuilder publishOnly() {
    this.publishOnly = true;
    return this;
  }

  /** Sets whether this node wakes others and is woken by them, on PostgreSQL. Default: on. */
  public JdbcOutboxBuilder wakeUp(WakeUp wakeUp) {
    this.wakeUp = Objects.requireNonNull(wakeUp, "wakeUp");
    return this;
  }

  /** Sets how long DONE events are kept; older ones are purged from time to time. */
  public JdbcOutboxBuilder retention(Duration done) {
    new Problems("JdbcOutbox").requireZeroOrMore("retention", done).throwIfAny();
    this.retention = Objects.requireNonNull(done, "retention");
    return this;
  }

  /**
   * Builds the outbox. No thread is started; {@link JdbcOutbox#start()} does that.
   *
   * @return the outbox, not started
   * @throws IllegalArgumentException if a setting is out of range, a payload class of a listener
   *     has no event type, or the database is not supported
   * @throws IllegalStateException if a listener takes payloads and there is no mapper for them
   * @throws OutboxException if the database cannot be reached, or a table is not as it must be
   */
  public JdbcOutbox build() {
    JdbcOutboxRepository store = new JdbcOutboxRepository(settings);
    PostgreSqlWakeUp waking = new PostgreSqlWakeUp("outbox", settings.table(), dataSource, wakeUp);
    OutboxDispatcherBuilder dispatching =
        OutboxDispatcher.builder(connections, store, listeners.registry(payloads))
            .afterListener(ownTransactions::requireNoneForgotten)
            .wakeOthers(waking::notifyOthers)
            .metrics(metrics)
            .closeTimeout(closeTimeout);
    delivery.accept(dispatching);
    check(dispatching);
    if (createTables) {
      OutboxSchema.createIfMissing(dataSource, settings.table().toString());
    }
    boolean leases = store.requireTables(dataSource, !publishOnly || retention != null);
    NodeTables nodes = settings.nodes(connections, store, dispatching.node(), time);
    OutboxDispatcher dispatcher = dispatching.nodes(nodes).buildUnstarted();
    OutboxPoller poller =
        publishOnly ? null : polling.poller(connections, store, dispatcher, leases, metrics);
    Runnable wakeNodes = poller == null ? waking::notifyOthers : poller::wakeUp;
    TxContext context = txContext == null ? ownTransactions : txContext;
    return new JdbcOutbox(
        new OutboxClient(context, store, dispatcher, metrics, traceContext, payloads),
        txContext == null ? new JdbcTransactionManager(connections, ownTransactions) : null,
        dispatcher,
        poller,
        Maintenance.of(
            dataSource,
            store,
            settings,
            dispatcher,
            nodes,
            wakeNodes,
            publishOnly,
            retention,
            time),
        waking,
        JdbcOutbox.Role.of(publishOnly, pollerEnabled),
        closeTimeout);
  }

  /** All at once and before anything is created or started. */
  private void check(OutboxDispatcherBuilder dispatching) {
    Problems problems = new Problems("JdbcOutbox");
    dispatching.check(problems);
    polling.check(problems);
    if (wrongTable != null) {
      problems.add(wrongTable);
    }
    problems.throwIfAny();
  }
}
