package outbox;

import java.sql.Connection;
import java.util.List;
import outbox.dispatch.OutboxDispatcher;
import outbox.spi.EventStore;
import outbox.spi.MetricsExporter;
import outbox.spi.TraceContext;
import outbox.spi.TxContext;

/**
 * What business code uses: publishes events inside its transaction.
 *
 * <p>The event is written with the transaction and vanishes with it; after the commit it reaches
 * the listeners. Safe for use by many threads.
 */
public final class OutboxClient {
  private final TxContext txContext;
  private final EventStore eventStore;
  private final OutboxDispatcher dispatcher;
  private final TraceContext traceContext;

  /**
   * A client.
   *
   * @param txContext the transaction of the calling thread
   * @param eventStore where events are written
   * @param dispatcher who delivers them
   * @param metrics where to count; the dispatcher counts for the client
   */
  public OutboxClient(
      TxContext txContext,
      EventStore eventStore,
      OutboxDispatcher dispatcher,
      MetricsExporter metrics) {
    this(txContext, eventStore, dispatcher, metrics, TraceContext.NONE);
  }

  /** The same with a trace to carry along. */
  public OutboxClient(
      TxContext txContext,
      EventStore eventStore,
      OutboxDispatcher dispatcher,
      MetricsExporter metrics,
      TraceContext traceContext) {
    this.txContext = txContext;
    this.eventStore = eventStore;
    this.dispatcher = dispatcher;
    this.traceContext = traceContext;
  }

  /**
   * Publishes an event.
   *
   * @param event the event
   * @return its id
   * @throws IllegalStateException if the calling thread is not inside a transaction
   * @throws OutboxException if the event cannot be written; the transaction should be rolled back
   */
  public String publish(EventEnvelope event) {
    return publishAll(List.of(event)).get(0);
  }

  /**
   * Publishes several events, with as few statements as the database allows.
   *
   * @param events the events, in order
   * @return their ids, in the same order
   * @throws IllegalStateException if the calling thread is not inside a transaction
   * @throws OutboxException if an event cannot be written; the transaction should be rolled back
   */
  public List<String> publishAll(List<EventEnvelope> events) {
    if (!txContext.isTransactionActive()) {
      throw new IllegalStateException(
          "publish needs an active transaction on this thread but found none; begin one with"
              + " JdbcTransactionManager or call from a @Transactional method, by way of its bean and"
              + " on the same thread");
    }
    if (events.isEmpty()) {
      return List.of();
    }
    List<EventEnvelope> traced = events.stream().map(this::withTrace).toList();
    Connection conn = txContext.currentConnection();
    boolean mayLease = !txContext.hasUnseenSavepoint();
    txContext.afterCommit(dispatcher.insert(eventStore, conn, traced, mayLease));
    return traced.stream().map(EventEnvelope::eventId).toList();
  }

  private EventEnvelope withTrace(EventEnvelope event) {
    String traceparent = traceContext.traceparent();
    return traceparent == null || event.headers().containsKey(TraceContext.HEADER)
        ? event
        : event.withHeader(TraceContext.HEADER, traceparent);
  }
}
