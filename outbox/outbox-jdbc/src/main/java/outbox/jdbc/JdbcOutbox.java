package outbox.jdbc;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import holdfast.jdbc.DeliveryControl;
import holdfast.jdbc.PostgreSqlWakeUp;
import holdfast.jdbc.TableLedger;
import holdfast.ledger.LedgerSnapshot;
import holdfast.lifecycle.CloseReport;
import holdfast.lifecycle.Closing;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Lifecycle;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.dispatch.OutboxDispatcher;
import outbox.poller.OutboxPoller;

/**
 * The whole outbox of one node, wired: store, dispatcher, poller and client.
 *
 * <pre>{@code
 * JdbcOutbox outbox = JdbcOutbox.builder(dataSource)
 *     .createTables()
 *     .listener(OrderPlaced.class, order -> mail(order))
 *     .build();
 * outbox.start();
 * try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
 *   insertOrder(tx.connection());
 *   outbox.publishPayload(new OrderPlaced(1, "tea"));
 *   tx.commit();
 * }
 * }</pre>
 *
 * <p>Any number of nodes may share the table. Safe for use by many threads.
 */
public final class JdbcOutbox implements AutoCloseable {
  private static final System.Logger LOG = LibraryLogger.of("outbox");

  private final OutboxClient client;
  private final @Nullable JdbcTransactionManager transactionManager;
  private final OutboxDispatcher dispatcher;
  private final @Nullable OutboxPoller poller;
  private final Maintenance maintenance;
  private final PostgreSqlWakeUp wakeUp;
  private final Role role;
  private final Duration closeTimeout;
  private final Lifecycle life = new Lifecycle("JdbcOutbox");
  private final ReentrantLock starting = new ReentrantLock(); // held while it starts
  private final Closing closing = new Closing();
  private final AtomicBoolean warned = new AtomicBoolean();

  /** What a node does besides publishing. */
  enum Role {
    /** Delivers and polls. */
    FULL,
    /** Delivers what it publishes; never polls. */
    WITHOUT_POLLER,
    /** Delivers nothing. */
    PUBLISH_ONLY;

    static Role of(boolean publishOnly, boolean pollerEnabled) {
      return publishOnly ? PUBLISH_ONLY : pollerEnabled ? FULL : WITHOUT_POLLER;
    }
  }

  JdbcOutbox(
      OutboxClient client,
      @Nullable JdbcTransactionManager transactionManager,
      OutboxDispatcher dispatcher,
      @Nullable OutboxPoller poller,
      Maintenance maintenance,
      PostgreSqlWakeUp wakeUp,
      Role role,
      Duration closeTimeout) {
    this.client = client;
    this.transactionManager = transactionManager;
    this.dispatcher = dispatcher;
    this.poller = poller;
    this.maintenance = maintenance;
    this.wakeUp = wakeUp;
    this.role = role;
    this.closeTimeout = closeTimeout;
  }

  /**
   * Starts the settings of an outbox.
   *
   * @param dataSource where the table is, and the business data with it
   * @return a builder with the defaults
   */
  public static JdbcOutboxBuilder builder(DataSource dataSource) {
    return new JdbcOutboxBuilder(
        Objects.requireNonNull(
            dataSource,
            "builder needs a DataSource but was given null; pass the one that business transactions use"));
  }

  /**
   * Starts the threads; idempotent. Workers and poller are not started where this node only
   * publishes, the poller not where the configuration says no; the purge is started wherever a
   * retention is set. Events that were published before are in the table and found by the poller.
   *
   * @throws IllegalStateException if the outbox is closed
   */
  public void start() {
    starting.lock();
    try {
      if (life.start()) {
        startThreads();
      }
    } finally {
      starting.unlock();
    }
  }

  private void startThreads() {
    OutboxPoller polling = role == Role.FULL ? poller : null;
    if (role == Role.PUBLISH_ONLY) {
      LOG.log(INFO, "outbox started publishOnly=true, listeners are not called here");
    } else {
      dispatcher.start();
    }
    if (polling != null) {
      polling.start();
    }
    maintenance.start();
    wakeUp.start(polling == null ? null : polling::wakeUp);
  }

  /**
   * Begins a transaction on the calling thread; for applications without a framework.
   *
   * @return the transaction
   * @throws IllegalStateException if the outbox was built with another {@link
   *     JdbcOutboxBuilder#txContext}: its events would not be in this transaction
   */
  public JdbcTransactionManager.Transaction begin() {
    if (transactionManager == null) {
      throw new IllegalStateException(
          "begin() needs an outbox with its own transactions, but this one was built with"
              + " txContext(...), so publish would not see the transaction; begin it where that"
              + " TxContext does, in Spring with @Transactional, or build without txContext(...)");
    }
    return transactionManager.begin();
  }

  /**
   * Publishes an event in the calling thread's transaction; see {@link OutboxClient#publish}.
   *
   * @param event the event
   * @return its id
   */
  public String publish(EventEnvelope event) {
    return publishing().publish(event);
  }

  /**
   * Publishes an object in the calling thread's transaction; see {@link
   * OutboxClient#publishPayload}.
   *
   * @param payload the payload
   * @return the event's id
   */
  public String publishPayload(Object payload) {
    return publishing().publishPayload(payload);
  }

  /**
   * Starts an event with an object as its payload; see {@link OutboxClient#eventOf}.
   *
   * @param payload the payload
   * @return a builder with type and payload set
   */
  public EventEnvelope.Builder eventOf(Object payload) {
    return client.eventOf(payload);
  }

  /**
   * Publishes events in the calling thread's transaction; see {@link OutboxClient#publishAll}.
   *
   * @param events the events, in order
   * @return their ids, in the same order
   */
  public List<String> publishAll(List<EventEnvelope> events) {
    return publishing().publishAll(events);
  }

  private OutboxClient publishing() {
    boolean delivers = role == Role.PUBLISH_ONLY || dispatcher.isRunning();
    if (!delivers && warned.compareAndSet(false, true)) {
      LOG.log(
          WARNING,
          "outbox publishes but does not deliver here, because start() was not called or it is"
              + " closed: events wait in the table for a node that is started");
    }
    return client;
  }

  /** The client for business code. */
  public OutboxClient client() {
    return client;
  }

  /** The dispatcher, for its numbers. */
  public OutboxDispatcher dispatcher() {
    return dispatcher;
  }

  /** The events that were given up, for a person to look at and bring back. */
  public DeadEvents deadEvents() {
    return maintenance.deadEvents();
  }

  /** The events that wait for their next attempt after a failure. */
  public WaitingEvents waiting() {
    return maintenance.waiting();
  }

  /** Pauses and resumes delivery, of a type or of all, for all nodes that share the table. */
  public DeliveryControl control() {
    return maintenance.control();
  }

  /**
   * Removes what was DONE longer ago, in small batches; the ledger keeps count of it.
   *
   * @param olderThan how long ago by the database's clock, zero or more
   * @return how many events were removed
   * @throws IllegalArgumentException if the duration is negative
   * @throws outbox.OutboxException if the database fails or the table is the plain one; batches
   *     done before stay done
   */
  public long purge(Duration olderThan) {
    return maintenance.purge().done(olderThan, () -> false);
  }

  /**
   * Removes what was given up longer ago, in small batches; the ledger shows it as lost. While dead
   * events block the ordered ones after them, those stay: they can only be redelivered.
   *
   * @param olderThan how long ago by the database's clock, zero or more
   * @return how many events were removed
   * @throws IllegalArgumentException if the duration is negative
   * @throws outbox.OutboxException if the database fails or the table is the plain one; batches
   *     done before stay done
   */
  public long purgeDead(Duration olderThan) {
    return maintenance.purge().dead(olderThan);
  }

  /**
   * The ledger of all nodes together at one moment: the rows of the table and what was purged from
   * it. Counts every row, so once a minute is often enough for a large table.
   *
   * @return the ledger, read at one moment for all nodes
   * @throws outbox.OutboxException if the database fails or the table is the plain one
   */
  public LedgerSnapshot ledger() {
    return maintenance.ledger().get();
  }

  /** What is overdue in the table and in flight on no node. */
  public OutboxBacklog backlog() {
    return maintenance.backlog();
  }

  /** Closes within the time the outbox was built with; see {@link #close(Duration)}. */
  @Override
  public void close() {
    close(closeTimeout);
  }

  /**
   * Stops polling, lets listeners finish within the time given, and releases what has not begun.
   * Idempotent; a concurrent second call waits for the first.
   *
   * @param timeout the time for all of it
   * @return what was left behind; the same the second time
   */
  public CloseReport close(Duration timeout) {
    Deadline deadline = Deadline.after(timeout, TimeSource.system());
    return closing.close(deadline, () -> drain(deadline));
  }

  private CloseReport drain(Deadline deadline) {
    boolean wasRunning = end();
    maintenance.close(deadline.remaining().dividedBy(4));
    if (poller != null) {
      poller.close(deadline.remaining().dividedBy(2)); // listeners are left time if a poll hangs
    }
    CloseReport report =
        role == Role.PUBLISH_ONLY ? CloseReport.CLEAN : dispatcher.close(deadline.remaining());
    wakeUp.close(deadline.remaining()); // after it: what was released wakes other nodes
    if (wasRunning) {
      TableLedger.logLast("outbox", maintenance.ledger()::get, deadline.remaining());
    }
    return report;
  }

  private boolean end() {
    starting.lock();
    try {
      boolean wasRunning = life.isRunning();
      life.close();
      return wasRunning;
    } finally {
      starting.unlock();
    }
  }
}
