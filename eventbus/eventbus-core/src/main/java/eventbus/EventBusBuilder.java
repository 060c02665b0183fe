package eventbus;

import eventbus.table.EventStore;
import eventbus.table.TableNames;
import eventbus.work.NodeSettings;
import holdfast.id.UlidGenerator;
import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.WakeUp;
import holdfast.payload.PayloadEventHandler;
import holdfast.payload.PayloadHandler;
import holdfast.payload.Payloads;
import holdfast.time.TimeSource;
import holdfast.work.HandlerTimeouts;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Settings of an {@link EventBus}. Not safe for use by many threads. */
public final class EventBusBuilder {
  /** How long an event without a sign of life belongs to its worker, unless configured. */
  public static final Duration DEFAULT_ABANDONMENT_TIMEOUT = Duration.ofMinutes(5);

  /** How many events are handled at the same time, unless configured: {@value}. */
  public static final int DEFAULT_WORKERS = 4;

  /** How many events are claimed at a time, unless configured: {@value}. */
  public static final int DEFAULT_BATCH_SIZE = 500;

  /** How many bytes the events in flight may have in all, unless configured: 16 MiB. */
  public static final long DEFAULT_MAX_IN_FLIGHT_BYTES = 16L << 20;

  /** How long an event may wait for a worker of its node, unless configured. */
  public static final Duration DEFAULT_MAX_QUEUE_WAIT = Duration.ofMinutes(1);

  /** How long to wait at most before looking for events again, unless configured. */
  public static final Duration DEFAULT_POLL_INTERVAL = Duration.ofSeconds(1);

  /** How long after its first failure an event is closed as FAILED, unless configured: 24 hours. */
  public static final Duration DEFAULT_RETRY_FOR = Duration.ofHours(24);

  /** How many lost workers close an event as FAILED, unless configured: {@value}. */
  public static final int DEFAULT_MAX_LAPSES = 10;

  /** How large a payload may be, unless configured: {@value} bytes. */
  public static final int DEFAULT_MAX_PAYLOAD_BYTES = 1_048_576;

  /** The time for closing, unless configured. */
  public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(10);

  final DataSource dataSource;
  TableNames tables = TableNames.DEFAULT;
  private boolean createTables;
  private boolean requireTables;
  boolean publishOnly;
  WakeUp wakeUp = WakeUp.ON;
  private DatabaseClock clock = DatabaseClock.TRUE;
  private String name = "node-" + UlidGenerator.shared().next();
  private int workers = DEFAULT_WORKERS;
  private final Map<String, Integer> concurrency = new HashMap<>();
  private int batchSize = DEFAULT_BATCH_SIZE;
  private @Nullable Duration handlerTimeout;
  private final Map<String, Duration> handlerTimeouts = new HashMap<>();
  private long maxInFlightBytes = DEFAULT_MAX_IN_FLIGHT_BYTES;
  private Duration abandonmentTimeout = DEFAULT_ABANDONMENT_TIMEOUT;
  private @Nullable Duration heartbeat;
  private Duration maxQueueWait = DEFAULT_MAX_QUEUE_WAIT;
  private Duration pollInterval = DEFAULT_POLL_INTERVAL;
  private Duration retryFor = DEFAULT_RETRY_FOR;
  private RetryPolicy retryPolicy = RetryPolicy.DEFAULT;
  private final Map<String, RetryPolicy> retryPolicies = new HashMap<>();
  private int maxLapses = DEFAULT_MAX_LAPSES;
  EventRouter router = new EventRouter();
  private final PayloadHandlers payloadHandlers = new PayloadHandlers();
  Payloads payloads = Payloads.discovered();
  EventBusLifecycleListener listener = EventBusLifecycleListener.NONE;
  CurrentTransaction transaction = CurrentTransaction.NONE;
  TimeSource time = TimeSource.system();
  private int maxPayloadBytes = DEFAULT_MAX_PAYLOAD_BYTES;
  private Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;
  private final Map<EventStatus, Duration> keep = new EnumMap<>(EventStatus.class);

  EventBusBuilder(DataSource dataSource) {
    this.dataSource =
        Objects.requireNonNull(
            dataSource,
            "builder needs a DataSource but was given null; pass the one whose database has the tables");
  }

  /** Adds the one handler of a type; see {@link EventRouter#register(String, EventHandler)}. */
  public EventBusBuilder handler(String type, EventHandler handler) {
    router.register(type, handler);
    return this;
  }

  /** Adds a handler; see {@link EventRouter#register(String, String, EventHandler)}. */
  public EventBusBuilder handler(String type, String id, EventHandler handler) {
    router.register(type, id, handler);
    return this;
  }

  /** Adds the one handler of a type, whose worker does not wait for it. */
  public EventBusBuilder asyncHandler(String type, AsyncEventHandler handler) {
    return handler(type, handler);
  }

  /** Adds the one handler of a type, which takes several events at a time. */
  public EventBusBuilder batchHandler(String type, BatchEventHandler handler) {
    return handler(type, handler);
  }

  /** Adds the one handler for the type of a payload class, which is given the payload. */
  public <P> EventBusBuilder handler(Class<P> payload, PayloadHandler<? super P> handler) {
    return handler(payload, EventRouter.DEFAULT_HANDLER, handler);
  }

  /** Adds the one handler for the type of a payload class, which is given payload and event. */
  public <P> EventBusBuilder handler(
      Class<P> payload, PayloadEventHandler<? super P, Event> handler) {
    return handler(payload, EventRouter.DEFAULT_HANDLER, handler);
  }

  /** Adds a handler for the type of a payload class, which is given the payload. */
  public <P> EventBusBuilder handler(
      Class<P> payload, String id, PayloadHandler<? super P> handler) {
    Objects.requireNonNull(handler, "handler");
    return handler(payload, id, (read, event) -> handler.handle(read));
  }

  /** Adds a handler for the type of a payload class, which is given the payload and the event. */
  public <P> EventBusBuilder handler(
      Class<P> payload, String id, PayloadEventHandler<? super P, Event> handler) {
    payloadHandlers.add(payload, id, handler);
    return this;
  }

  /** Sets payload classes and their mapper; replaces the mapper found on the class path. */
  public EventBusBuilder payloads(Payloads payloads) {
    this.payloads = Objects.requireNonNull(payloads, "payloads");
    return this;
  }

  /** Sets who finds the handlers of a type; replaces those added here. */
  public EventBusBuilder router(EventRouter router) {
    this.router = Objects.requireNonNull(router, "router");
    payloadHandlers.clear();
    return this;
  }

  /** Has the tables created if they are missing; replaces expecting them. */
  public EventBusBuilder createTables() {
    this.createTables = true;
    return this;
  }

  /** Has {@link #build} fail if a table is not as it must be; replaces finding out on use. */
  public EventBusBuilder requireTables() {
    this.requireTables = true;
    return this;
  }

  /** Sets the tables, each {@code table} or {@code schema.table}; replaces events, event_log. */
  public EventBusBuilder tables(String events, String log) {
    this.tables = new TableNames(TableNames.named(events), TableNames.named(log));
    return this;
  }

  /** Sets the name of this node, unique among all nodes; replaces one that is made up. */
  public EventBusBuilder name(String name) {
    this.name = Objects.requireNonNull(name, "name");
    return this;
  }

  /**
   * Makes this node publish only; others handle the events. A retention still purges here. Only a
   * node that is {@linkplain EventBus#start() started} wakes the others on PostgreSQL and purges.
   */
  public EventBusBuilder publishOnly() {
    this.publishOnly = true;
    return this;
  }

  /** Sets whether nodes wake each other on PostgreSQL. Default: {@link WakeUp#ON}. */
  public EventBusBuilder wakeUp(WakeUp wakeUp) {
    this.wakeUp = Objects.requireNonNull(wakeUp, "wakeUp");
    return this;
  }

  /** Sets how many events are handled at the same time; replaces 4. */
  public EventBusBuilder workers(int workers) {
    this.workers = workers;
    return this;
  }

  /**
   * Sets how many events of a type this node holds at the same time, 1 or more. Default: no limit,
   * and 256 for an {@link AsyncEventHandler}.
   */
  public EventBusBuilder concurrency(String type, int most) {
    this.concurrency.put(Objects.requireNonNull(type, "type"), most);
    return this;
  }

  /** Sets how many events are claimed at a time; replaces 500. */
  public EventBusBuilder batchSize(int batchSize) {
    this.batchSize = batchSize;
    return this;
  }

  /**
   * Sets how long handlers may run; then their thread is interrupted and replaced, and the attempt
   * has failed. The next one does not begin before they return. Default: no limit.
   */
  public EventBusBuilder handlerTimeout(Duration timeout) {
    this.handlerTimeout = Objects.requireNonNull(timeout, "handlerTimeout");
    return this;
  }

  /** Sets the same for events of one type. */
  public EventBusBuilder handlerTimeout(String type, Duration timeout) {
    this.handlerTimeouts.put(
        Objects.requireNonNull(type, "type"), Objects.requireNonNull(timeout, "timeout"));
    return this;
  }

  /**
   * Sets how many bytes the events that wait for a worker, are handled or await the record of their
   * outcome may have in all, 1 or more; {@link EventBus#poll} returns no more either. One event is
   * always handled. Default: 16 MiB.
   */
  public EventBusBuilder maxInFlightBytes(long maxInFlightBytes) {
    this.maxInFlightBytes = maxInFlightBytes;
    return this;
  }

  /** Sets how long an event belongs to a silent worker; replaces 5 minutes; same on all nodes. */
  public EventBusBuilder abandonmentTimeout(Duration abandonmentTimeout) {
    this.abandonmentTimeout = Objects.requireNonNull(abandonmentTimeout, "abandonmentTimeout");
    return this;
  }

  /** Sets how often workers give signs of life; replaces a fifth of the time-out. */
  public EventBusBuilder heartbeat(Duration heartbeat) {
    this.heartbeat = Objects.requireNonNull(heartbeat, "heartbeat");
    return this;
  }

  /** Sets how long an event may wait for a worker of its node before it is released. */
  public EventBusBuilder maxQueueWait(Duration maxQueueWait) {
    this.maxQueueWait = Objects.requireNonNull(maxQueueWait, "maxQueueWait");
    return this;
  }

  /** Sets how long to wait at most before looking for events again; replaces 1 second. */
  public EventBusBuilder pollInterval(Duration pollInterval) {
    this.pollInterval = Objects.requireNonNull(pollInterval, "pollInterval");
    return this;
  }

  /** Sets what becomes of events whose handlers fail; replaces {@link RetryPolicy#DEFAULT}. */
  public EventBusBuilder retryPolicy(RetryPolicy retryPolicy) {
    this.retryPolicy = Objects.requireNonNull(retryPolicy, "retryPolicy");
    return this;
  }

  /** Sets the same for events of one type. */
  public EventBusBuilder retryPolicy(String type, RetryPolicy retryPolicy) {
    this.retryPolicies.put(
        Objects.requireNonNull(type, "type"), Objects.requireNonNull(retryPolicy, "retryPolicy"));
    return this;
  }

  /** Sets how long after its first failed attempt an event is closed. Default: 24 hours. */
  public EventBusBuilder retryFor(Duration retryFor) {
    this.retryFor = Objects.requireNonNull(retryFor, "retryFor");
    return this;
  }

  /** Sets how many lost workers close an event as FAILED; replaces 10. */
  public EventBusBuilder maxLapses(int maxLapses) {
    this.maxLapses = maxLapses;
    return this;
  }

  /** Sets how large a payload may be; replaces 1,048,576 bytes. */
  public EventBusBuilder maxPayloadBytes(int maxPayloadBytes) {
    this.maxPayloadBytes = maxPayloadBytes;
    return this;
  }

  /** Has lines of completed events purged from the log after a time; replaces never. */
  public EventBusBuilder retention(Duration keepCompleted) {
    keep.put(EventStatus.COMPLETED, Objects.requireNonNull(keepCompleted, "keepCompleted"));
    return this;
  }

  /** Has lines of failed events purged from the log after a time; replaces never. */
  public EventBusBuilder failedRetention(Duration keepFailed) {
    keep.put(EventStatus.FAILED, Objects.requireNonNull(keepFailed, "keepFailed"));
    return this;
  }

  /** Sets the listener for lifecycle events. Default: none. */
  public EventBusBuilder lifecycleListener(EventBusLifecycleListener listener) {
    this.listener = Objects.requireNonNull(listener, "lifecycleListener");
    return this;
  }

  /** Sets which transaction events join that are published without a connection; replaces none. */
  public EventBusBuilder transaction(CurrentTransaction transaction) {
    this.transaction = Objects.requireNonNull(transaction, "transaction");
    return this;
  }

  /** Sets the time for {@link EventBus#close()}; replaces 10 seconds. */
  public EventBusBuilder closeTimeout(Duration closeTimeout) {
    this.closeTimeout = Objects.requireNonNull(closeTimeout, "closeTimeout");
    return this;
  }

  /** Sets the clock that waiting and heartbeats are measured by; for tests. */
  public EventBusBuilder timeSource(TimeSource time) {
    this.time = Objects.requireNonNull(time, "timeSource");
    return this;
  }

  /** Moves the database's clock, for tests of what takes time; asked for each statement. */
  public EventBusBuilder clockOffset(Supplier<Duration> offset) {
    this.clock = DatabaseClock.offBy(Objects.requireNonNull(offset, "clockOffset"));
    return this;
  }

  EventStore store() {
    return new EventStore(dataSource, tables, clock);
  }

  /**
   * The bus, not started; creates missing tables if it was told to.
   *
   * @throws IllegalArgumentException if a setting is out of range, naming all of them, or a payload
   *     class of a handler has no event type
   * @throws IllegalStateException if a handler takes payloads and there is no mapper for them
   * @throws EventBusException if tables were to be created and the database refuses, or were
   *     required and one is missing, lacks columns or rights, or has columns of other types
   */
  public EventBus build() {
    NodeSettings settings =
        new NodeSettings(
            name,
            workers,
            concurrency,
            batchSize,
            maxInFlightBytes,
            new HandlerTimeouts(handlerTimeout, handlerTimeouts),
            abandonmentTimeout,
            heartbeat,
            maxQueueWait,
            pollInterval,
            retryFor,
            retryPolicy,
            retryPolicies,
            maxLapses,
            maxPayloadBytes,
            keep,
            closeTimeout);
    payloadHandlers.registerIn(router, payloads);
    if (createTables) {
      EventBusSchema.createIfMissing(dataSource, tables);
    }
    if (requireTables) {
      store().requireTables(false);
    }
    return new EventBus(this, settings);
  }
}
