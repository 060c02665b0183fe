package outbox.dispatch;

import static java.lang.System.Logger.Level.INFO;

import holdfast.jdbc.Transactions;
import holdfast.lifecycle.CloseReport;
import holdfast.lifecycle.Closing;
import holdfast.lifecycle.ClosingGate;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Lifecycle;
import holdfast.log.LibraryLogger;
import holdfast.log.Outage;
import holdfast.problems.Problems;
import holdfast.time.TimeSource;
import holdfast.work.ClaimLoop;
import holdfast.work.LeaseTimes;
import holdfast.work.WorkEngine;
import holdfast.work.WorkSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import outbox.EventEnvelope;
import outbox.model.ClaimResult;
import outbox.model.LeaseTerms;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventStore;
import outbox.spi.MetricsExporter;

/**
 * The workers of a node and the two queues before them. Closing it drains them. Safe for use by
 * many threads.
 *
 * <p>An event in flight is reserved from the moment it is queued until its outcome is written, so
 * it is never queued twice. Its way: queue, start check, listeners in order, outcome, record of the
 * outcome.
 */
public final class OutboxDispatcher implements AutoCloseable {
  private static final System.Logger LOG = LibraryLogger.of("outbox");
  private static final Duration UNKNOWN = Duration.ofDays(1);

  private final WorkEngine<Delivery> engine;
  private final HotPath hotPath;
  private final DueEvents dueEvents;
  private final DeliveryLog log;
  private final TimeSource time;
  private final ClosingGate gate = new ClosingGate();
  private final Lifecycle life = new Lifecycle("OutboxDispatcher");
  private final Duration closeTimeout;
  private final Closing closing = new Closing();

  /**
   * A dispatcher with everything given; {@link #builder} is easier to read.
   *
   * @param connectionProvider connections for outcomes and claims
   * @param eventStore where events are kept
   * @param listenerRegistry who listens
   * @param inFlightTracker what is in flight
   * @param retryPolicy how long to wait after a failure
   * @param maxAttempts how many deliveries may fail before an event is dead, 1 or more
   * @param workerCount how many events are delivered at the same time, 1 or more
   * @param hotQueueCapacity how many published events may wait, 1 or more
   * @param coldQueueCapacity how many polled events may wait, 1 or more
   * @param metrics where to count
   * @throws IllegalArgumentException if a number is out of range, naming all of them
   */
  public OutboxDispatcher(
      ConnectionProvider connectionProvider,
      EventStore eventStore,
      ListenerRegistry listenerRegistry,
      InFlightTracker inFlightTracker,
      RetryPolicy retryPolicy,
      int maxAttempts,
      int workerCount,
      int hotQueueCapacity,
      int coldQueueCapacity,
      MetricsExporter metrics) {
    this(
        builder(connectionProvider, eventStore, listenerRegistry)
            .inFlightTracker(inFlightTracker)
            .retryPolicy(retryPolicy)
            .maxAttempts(maxAttempts)
            .workers(workerCount)
            .hotQueueCapacity(hotQueueCapacity)
            .coldQueueCapacity(coldQueueCapacity)
            .metrics(metrics));
    start();
  }

  OutboxDispatcher(OutboxDispatcherBuilder b) {
    Problems problems = new Problems("OutboxDispatcher");
    b.check(problems);
    problems.throwIfAny();
    this.closeTimeout = b.closeTimeout;
    this.time = b.time;
    this.log = new DeliveryLog(b.metrics, b.lifecycleListener, time);
    Reservations reservations = new Reservations(b.inFlightTracker, b.maxInFlightBytes);
    Transactions transactions = Transactions.of(b.connections::getConnection);
    LeaseTerms terms = new LeaseTerms(b.lease.node(), b.lease.length());
    DeliveryStore store =
        new DeliveryStore(b.store, transactions, terms, reservations, log.outage(), time);
    LeaseTimes lease = b.lease.times(store.mayLease());
    Listeners listeners =
        new Listeners(b.listeners, b.concurrency, b.unhandled, b.afterListener, time);
    WorkSettings settings = b.settings(lease, listeners::concurrency);
    this.engine =
        new WorkEngine<>(
            settings, store, listeners, log, reservations.inFlight(), b.nodes, log.outage(), time);
    engine.onReleased(b.wakeOthers);
    log.onTaken(() -> b.metrics.recordQueueDepths(hotDepth(), coldDepth()));
    this.hotPath =
        new HotPath(
            engine,
            store,
            reservations,
            lease,
            b.metrics,
            time,
            gate,
            b.leaseOnInsert,
            b.wakeOthers);
    this.dueEvents =
        new DueEvents(
            engine,
            store,
            reservations,
            log,
            b.metrics,
            b.maxLapses,
            b.workers,
            b.concurrency.keySet(),
            time);
  }

  /**
   * Starts the threads; does nothing the second time.
   *
   * @throws IllegalStateException if the dispatcher is closed
   */
  public void start() {
    if (life.start()) {
      engine.start();
      hotPath.open();
    }
  }

  /**
   * Starts a dispatcher's settings.
   *
   * @param connections connections for outcomes and claims
   * @param store where events are kept
   * @param listeners who listens
   * @return a builder with the defaults
   */
  public static OutboxDispatcherBuilder builder(
      ConnectionProvider connections, EventStore store, ListenerRegistry listeners) {
    return new OutboxDispatcherBuilder(connections, store, listeners);
  }

  /**
   * Queues an event that was just committed.
   *
   * @param event the event
   * @return false if the queue is full or the dispatcher closed; the poller will bring it then
   */
  public boolean enqueueHot(QueuedEvent event) {
    return hotPath.queue(Delivery.unleased(event, time.nanoTime()));
  }

  /**
   * Queues an event that was found in the table.
   *
   * @param event the event
   * @return false if the queue is full or the dispatcher closed
   */
  public boolean enqueueCold(QueuedEvent event) {
    if (!gate.enter()) {
      return false;
    }
    try {
      return dueEvents.queue(event, Set.of()) != DueEvents.Entry.REFUSED;
    } finally {
      gate.exit();
    }
  }

  /** Whether the cold queue has room for one event at least. */
  public boolean hasColdQueueCapacity() {
    return engine.claimedRoom() > 0;
  }

  /**
   * Inserts events in the caller's transaction, leased to this node where it is to deliver them.
   *
   * @param store where to insert
   * @param conn the connection of the business transaction
   * @param events the events, in order
   * @param mayLease false if the insert may be undone without the transaction being rolled back
   * @param onRollback takes what to run after a rollback; may be called once, or not at all
   * @return what to run after the commit; it queues the events and never throws
   */
  public Runnable insert(
      EventStore store,
      Connection conn,
      List<EventEnvelope> events,
      boolean mayLease,
      Consumer<Runnable> onRollback) {
    return hotPath.insert(store, conn, events, mayLease, onRollback);
  }

  /**
   * Claims due events from the table and queues them; where the table cannot lease events, reads
   * them unlocked.
   *
   * @param table where to read unlocked
   * @param connections connections to read with
   * @param limit how many to claim at most
   * @param bytes how many bytes those may have in all; the first is always claimed
   * @param rowLimit how many to read unlocked at most, those in flight included
   * @param minAge how long a new event must have been due at least
   * @param onLag is called with how long the oldest event that was found waits already
   * @return what was queued
   * @throws SQLException if the database fails
   */
  public ClaimLoop.Claimed claimDue(
      EventStore table,
      ConnectionProvider connections,
      int limit,
      long bytes,
      int rowLimit,
      Duration minAge,
      Consumer<Duration> onLag)
      throws SQLException {
    if (!gate.enter()) {
      return new ClaimLoop.Claimed(0, false, UNKNOWN);
    }
    try {
      Optional<ClaimResult> claimed = dueEvents.claim(limit, bytes, minAge);
      if (claimed.isPresent()) {
        onLag.accept(claimed.get().longestDue());
        int found = claimed.get().claims().size();
        return new ClaimLoop.Claimed(found, found >= limit, claimed.get().untilNext());
      }
      Transactions in = Transactions.of(connections::getConnection);
      DueEvents.Scanned scanned = dueEvents.scan(table, in, minAge, rowLimit);
      onLag.accept(scanned.lag());
      // Rows in flight are read again and again: only a batch that brought something promises more.
      boolean more =
          scanned.refused() || (scanned.rows().size() >= rowLimit && scanned.queued() > 0);
      return new ClaimLoop.Claimed(scanned.queued(), more, UNKNOWN);
    } finally {
      gate.exit();
    }
  }

  /**
   * Creates the loop of the poller, which is woken when an outcome makes an event due and when a
   * full cold queue has room again.
   *
   * @param settings how often and how much to claim
   * @param skipRecent how old an event must be before the poller claims it
   * @param claims what the poller does
   */
  public ClaimLoop claimLoop(
      ClaimLoop.Settings settings, Duration skipRecent, ClaimLoop.Claims claims) {
    hotPath.skipRecent(skipRecent);
    ClaimLoop loop = engine.claimLoop(settings, claims);
    engine.onDue(
        delay -> {
          loop.wakeIn(delay);
          if (delay.compareTo(skipRecent) < 0) { // it may be too young to be found until then
            loop.wakeIn(skipRecent);
          }
        });
    return loop;
  }

  /** Returns whether other nodes can take events from the table, as far as is known. */
  public boolean isShared() {
    return dueEvents.isShared();
  }

  /** Returns whether it delivers: it was started and not closed. */
  public boolean isRunning() {
    return life.isRunning();
  }

  /** Returns how many events are in flight: queued, running or awaiting their record. */
  public int inFlight() {
    return engine.inFlight().size();
  }

  /** Returns how long the event that is in flight for longest has been; zero if none is. */
  public Duration oldestInFlight() {
    return engine.oldestInFlight();
  }

  /** Returns how long the event that waits for a worker for longest has; zero if none does. */
  public Duration oldestWaiting() {
    return engine.oldestWaiting();
  }

  /** Returns how long the listener that runs longest has run; zero if none runs. */
  public Duration longestRunning() {
    return engine.longestRunning();
  }

  /** Returns whether every worker has a listener that has run for a minute and more. */
  public boolean allWorkersHang() {
    return engine.allWorkersHang();
  }

  /** Returns whether a type has a listener on this node. */
  public boolean handles(String eventType) {
    return engine.handles(eventType);
  }

  /** Returns the types this node had events but no listener for, in alphabetical order. */
  public Set<String> unhandledTypes() {
    return log.unhandled();
  }

  /** Returns where the threads of this node report whether the database answers. */
  public Outage outage() {
    return log.outage();
  }

  /** How many published events wait now. */
  public int hotDepth() {
    return engine.committedSize();
  }

  /** How many polled events wait now. */
  public int coldDepth() {
    return engine.claimedSize();
  }

  /** Drains within the time it was built with; see {@link #close(Duration)}. */
  @Override
  public void close() {
    close(closeTimeout);
  }

  /**
   * Stops taking events, lets the workers finish what they have within the time given, releases the
   * rest, and interrupts listeners that still run. Idempotent; a concurrent second call waits for
   * the first.
   *
   * @param timeout the time for all of it
   * @return what was left behind
   */
  public CloseReport close(Duration timeout) {
    Deadline deadline = Deadline.after(timeout, time);
    return closing.close(deadline, () -> drain(deadline));
  }

  private CloseReport drain(Deadline deadline) {
    boolean wasRunning = life.isRunning();
    life.close();
    gate.close();
    if (!wasRunning) {
      return CloseReport.CLEAN; // never started: nothing was queued and no thread runs
    }
    try {
      gate.awaitDrained(deadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the engine hurries then, and leaves it so
    }
    CloseReport report = engine.close(deadline, () -> {});
    LOG.log(INFO, "outbox dispatcher closed " + report);
    return report;
  }
}
