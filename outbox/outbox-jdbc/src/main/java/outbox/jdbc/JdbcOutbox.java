package outbox.jdbc;

import holdfast.ledger.LedgerSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.dispatch.CloseReport;
import outbox.dispatch.OutboxDispatcher;
import outbox.poller.OutboxPoller;

/**
 * The whole outbox of one node, wired: store, dispatcher, poller and client.
 *
 * <pre>{@code
 * JdbcOutbox outbox = JdbcOutbox.builder(dataSource)
 *     .createTables()
 *     .listener("OrderPlaced", event -> mail(event.payloadJson()))
 *     .build();
 * outbox.start();
 * try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
 *   insertOrder(tx.connection());
 *   outbox.publish(EventEnvelope.ofJson("OrderPlaced", "{\"id\":1}"));
 *   tx.commit();
 * }
 * }</pre>
 *
 * <p>Any number of nodes may share the table. Safe for use by many threads.
 */
public final class JdbcOutbox implements AutoCloseable {
  private final OutboxClient client;
  private final JdbcTransactionManager transactionManager;
  private final OutboxDispatcher dispatcher;
  private final OutboxPoller poller;
  private final Caretaker caretaker;
  private final boolean polls;

  JdbcOutbox(
      OutboxClient client,
      JdbcTransactionManager transactionManager,
      OutboxDispatcher dispatcher,
      OutboxPoller poller,
      Caretaker caretaker,
      boolean polls) {
    this.client = client;
    this.transactionManager = transactionManager;
    this.dispatcher = dispatcher;
    this.poller = poller;
    this.caretaker = caretaker;
    this.polls = polls;
  }

  /**
   * Starts the settings of an outbox.
   *
   * @param dataSource where the table is, and the business data with it
   * @return a builder with the defaults
   */
  public static JdbcOutboxBuilder builder(DataSource dataSource) {
    return new JdbcOutboxBuilder(
        Objects.requireNonNull(dataSource, "builder needs a DataSource but was given null"));
  }

  /**
   * Starts looking into the table for what is due, unless this node only publishes or its
   * configuration says no, and for what can be purged, if it has a retention; does nothing the
   * second time.
   */
  public void start() {
    if (polls) {
      poller.start();
    }
    caretaker.start();
  }

  /**
   * Begins a transaction on the calling thread; for applications without a framework.
   *
   * @return the transaction
   */
  public JdbcTransactionManager.Transaction begin() {
    return transactionManager.begin();
  }

  /**
   * Publishes an event in the calling thread's transaction; see {@link OutboxClient#publish}.
   *
   * @param event the event
   * @return its id
   */
  public String publish(EventEnvelope event) {
    return client.publish(event);
  }

  /**
   * Publishes events in the calling thread's transaction; see {@link OutboxClient#publishAll}.
   *
   * @param events the events, in order
   * @return their ids, in the same order
   */
  public List<String> publishAll(List<EventEnvelope> events) {
    return client.publishAll(events);
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
    return caretaker.deadEvents();
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
    return caretaker.purge().done(olderThan, () -> false);
  }

  /**
   * Removes what was given up longer ago, in small batches; the ledger shows it as lost. While dead
   * events block the ordered ones after them, those stay: they can only be replayed.
   *
   * @param olderThan how long ago by the database's clock, zero or more
   * @return how many events were removed
   * @throws IllegalArgumentException if the duration is negative
   * @throws outbox.OutboxException if the database fails or the table is the plain one; batches
   *     done before stay done
   */
  public long purgeDead(Duration olderThan) {
    return caretaker.purge().dead(olderThan);
  }

  /**
   * The ledger of all nodes together at one moment: the rows of the table and what was purged from
   * it. Counts every row, so once a minute is often enough for a large table.
   *
   * @return the ledger, read at one moment for all nodes
   * @throws outbox.OutboxException if the database fails or the table is the plain one
   */
  public LedgerSnapshot ledger() {
    return caretaker.ledger().read();
  }

  /** What should have been delivered and is in nobody's hands, by any node. */
  public OutboxBacklog backlog() {
    return caretaker.backlog();
  }

  /** Stops polling, then drains the workers; see {@link OutboxDispatcher#close()}. */
  @Override
  public void close() {
    caretaker.close();
    poller.close();
    dispatcher.close();
  }

  /**
   * Stops polling, then drains the workers within a time.
   *
   * @param drain the time
   * @return what was left behind
   */
  public CloseReport close(Duration drain) {
    caretaker.close();
    poller.close();
    return dispatcher.close(drain);
  }
}
