package outbox.dispatch;

import static java.lang.System.Logger.Level.INFO;

import holdfast.jdbc.Transactions;
import holdfast.lease.MarkWriter;
import holdfast.lifecycle.CloseReport;
import holdfast.lifecycle.Closing;
import holdfast.lifecycle.ClosingGate;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Lifecycle;
import holdfast.log.LibraryLogger;
import holdfast.log.Outage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import outbox.EventEnvelope;
import outbox.model.ClaimResult;
import outbox.registry.ListenerRegistry;
import outbox.spi.ConnectionProvider;
import outbox.spi.EventStore;
import outbox.spi.LeaseStore;
import outbox.spi.MetricsExporter;

/**
 * The workers of a node and the two queues before them. Closing it drains them. Safe for use by
 * many threads.
 *
 * <p>An event in hand is reserved from the moment it is queued until its outcome is written, so it
 * is never queued twice. Its way: queue, start check, listeners in order, outcome, mark.
 */
public final class OutboxDispatcher implements AutoCloseable {
  private static final System.Logger LOG = LibraryLogger.of("outbox");

  private final Node node;
  private final Workers workers;
  private final HotPath hotPath;
  private final ColdClaims coldClaims;
  private final Settlement settlement;
  private final ClosingGate gate = new ClosingGate();
  private final Lifecycle life = new Lifecycle("OutboxDispatcher");
  private final int workerCount;
  private final Duration closeTimeout;
  private final Closing closing = new Closing();

  /**
   * A dispatcher with everything given; {@link #builder} is easier to read.
   *
   * @param connectionProvider connections for marks and claims
   * @param eventStore where events are kept
   * @param listenerRegistry who listens
   * @param inFlightTracker what is in hand
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
    b.check();
    this.workerCount = b.workers;
    this.closeTimeout = b.closeTimeout;
    Transactions transactions = Transactions.of(b.connections::getConnection);
    InHand inHand = new InHand(b.inFlightTracker);
    MarkStatements statements = new MarkStatements(b.store, b.time);
    LeasedHand hand = new LeasedHand(inHand, transactions, statements.leases(), b.lease);
    DeliveryLog log = new DeliveryLog(b.metrics, b.lifecycleListener, b.time);
    this.settlement = new Settlement(inHand, log);
    MarkTarget target = new MarkTarget(transactions, statements, b.metrics, settlement);
    MarkWriter<Mark, Delivery> writer = target.writer(hand, log.outage(), b.time);
    WorkQueues queues = new WorkQueues(b.hotQueueCapacity, b.coldQueueCapacity);
    this.node =
        new Node(b.store, transactions, b.lease, inHand, queues, writer, b.metrics, log, b.time);
    Attempt attempt = new Attempt(b.listeners, b.retryPolicy, b.maxAttempts, b.unhandled, b.time);
    this.workers = new Workers(node, attempt, b.workers);
    this.hotPath = new HotPath(node, gate, b.leaseOnInsert);
    this.coldClaims = new ColdClaims(node, b.maxAttempts);
  }

  /**
   * Starts the threads; does nothing the second time.
   *
   * @throws IllegalStateException if the dispatcher is closed
   */
  public void start() {
    if (life.start()) {
      node.writer().start();
      workers.start();
      hotPath.open();
    }
  }

  /**
   * Starts a dispatcher's settings.
   *
   * @param connections connections for marks and claims
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
    return hotPath.queue(Delivery.unleased(event, node.time().nanoTime()));
  }

  /**
   * Queues an event that was found in the table.
   *
   * @param event the event
   * @return false if the queue is full or the dispatcher closed
   */
  public boolean enqueueCold(QueuedEvent event) {
    return enterCold(event, Set.of()) != Entry.REFUSED;
  }

  /**
   * Begins a look into a table whose rows are not locked; must come before the rows are read.
   *
   * @return the scan, to be closed
   */
  public ColdScan beginScan() {
    return new ColdScan(this, node);
  }

  /** What became of an event that was found in the table. */
  enum Entry {
    QUEUED,
    KNOWN,
    REFUSED
  }

  Entry enterCold(QueuedEvent event, Set<String> outdated) {
    if (!gate.enter()) {
      return Entry.REFUSED;
    }
    try {
      Delivery delivery = Delivery.unleased(event, node.time().nanoTime());
      String id = delivery.eventId();
      if (!node.inHand().reserve(id)) {
        return Entry.KNOWN; // it waits or runs here already
      }
      if (outdated.contains(id)) { // looked at after reserving: it cannot be let go in between
        node.inHand().cancel(id);
        return Entry.KNOWN;
      }
      node.inHand().add(delivery);
      if (!node.queues().offerCold(delivery)) {
        node.inHand().release(delivery);
        return Entry.REFUSED;
      }
      node.metrics().incrementColdEnqueued();
      return Entry.QUEUED;
    } finally {
      gate.exit();
    }
  }

  /**
   * Whether the cold queue has room for one event at least; if not, the poller is told when it has.
   */
  public boolean hasColdQueueCapacity() {
    return node.queues().hasColdRoom();
  }

  /**
   * Inserts events in the caller's transaction, leased to this node where it is to deliver them.
   *
   * @param store where to insert
   * @param conn the connection of the business transaction
   * @param events the events, in order
   * @param mayLease false if the insert may be undone without the transaction being rolled back
   * @return what to run after the commit; it queues the events and never throws
   */
  public Runnable insert(
      EventStore store, Connection conn, List<EventEnvelope> events, boolean mayLease) {
    return hotPath.insert(store, conn, events, mayLease);
  }

  /**
   * Claims due events from the table and queues them, as many as the cold queue has room for.
   *
   * @param limit how many at most
   * @param minAge how old an event must be at least
   * @return what was claimed; empty if the store or its table cannot lend events
   * @throws SQLException if the database fails
   */
  public Optional<ClaimResult> claimCold(int limit, Duration minAge) throws SQLException {
    if (!(node.store() instanceof LeaseStore leases) || !gate.enter()) {
      return Optional.empty();
    }
    try {
      return coldClaims.claim(leases, limit, minAge);
    } finally {
      gate.exit();
    }
  }

  /** Returns whether it delivers: it was started and not closed. */
  public boolean isRunning() {
    return life.isRunning();
  }

  /**
   * Tells the dispatcher its poller: how long it leaves new rows alone, and whom to tell when an
   * outcome makes an event due or a full cold queue has room again.
   *
   * @param skipRecent how old an event must be before the poller looks at it
   * @param onDue is told how long it is until a look is worth it, zero or more; must not throw
   */
  public void polledBy(Duration skipRecent, Consumer<Duration> onDue) {
    hotPath.skipRecent(skipRecent);
    settlement.onDue(onDue);
    node.queues().onColdRoom(() -> onDue.accept(Duration.ZERO));
  }

  /** How many events this node has in hand: queued, running or awaiting their mark. */
  public int inHand() {
    return node.inHand().size();
  }

  /** Returns the types this node had events but no listener for, in alphabetical order. */
  public Set<String> unhandledTypes() {
    return node.log().unhandled().all();
  }

  /** Returns where the threads of this node report whether the database answers. */
  public Outage outage() {
    return node.log().outage();
  }

  /** How many published events wait now. */
  public int hotDepth() {
    return node.queues().hotDepth();
  }

  /** How many polled events wait now. */
  public int coldDepth() {
    return node.queues().coldDepth();
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
    Deadline deadline = Deadline.after(timeout, node.time());
    return closing.close(deadline, () -> drain(deadline));
  }

  private CloseReport drain(Deadline deadline) {
    boolean wasRunning = life.isRunning();
    life.close();
    gate.close();
    if (!wasRunning) {
      return CloseReport.CLEAN; // never started: nothing was queued and no thread runs
    }
    boolean interrupted = false;
    try {
      gate.awaitDrained(deadline);
      // The last quarter is for writing: what is not released in time waits for its lease.
      workers.awaitIdle(
          Deadline.after(deadline.remaining().multipliedBy(3).dividedBy(4), node.time()));
    } catch (InterruptedException e) {
      interrupted = true;
    }
    GiveBacks giveBacks = new GiveBacks(node, node.queues().stop(workerCount));
    int running = workers.interrupt();
    node.writer().close();
    try {
      deadline.await(node.writer().ended());
    } catch (InterruptedException e) {
      interrupted = true;
    }
    CloseReport report = giveBacks.report(running);
    LOG.log(INFO, "outbox dispatcher closed " + report);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return report;
  }
}
