package outbox;

import holdfast.payload.Payloads;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import outbox.dispatch.OutboxDispatcher;
import outbox.spi.EventStore;
import outbox.spi.LeaseStore;
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
  private final Payloads payloads;

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
    this(txContext, eventStore, dispatcher, metrics, traceContext, Payloads.discovered());
  }

  /** The same with the payload classes of the application. */
  public OutboxClient(
      TxContext txContext,
      EventStore eventStore,
      OutboxDispatcher dispatcher,
      MetricsExporter metrics,
      TraceContext traceContext,
      Payloads payloads) {
    this.txContext = txContext;
    this.eventStore = eventStore;
    this.dispatcher = dispatcher;
    this.traceContext = traceContext;
    this.payloads = payloads;
  }

  /**
   * Publishes an event.
   *
   * @param event the event
   * @return its id
   * @throws NullPointerException if the event is null
   * @throws IllegalStateException if the calling thread is not inside a transaction
   * @throws OutboxException if the event cannot be written; the transaction should be rolled back
   */
  public String publish(EventEnvelope event) {
    Objects.requireNonNull(event, "publish needs an event but was given null");
    return publishAll(List.of(event)).get(0);
  }

  /**
   * Publishes an event with an object as its JSON payload and nothing else; its type is that of the
   * object's class, see {@link holdfast.payload.PayloadType}.
   *
   * @param payload the payload
   * @return the event's id
   * @throws IllegalArgumentException if its class has no event type, or it is too large
   * @throws holdfast.payload.PayloadException if it cannot be written as JSON
   * @throws IllegalStateException if the calling thread is not inside a transaction, or there is no
   *     {@link holdfast.payload.PayloadMapper}
   * @throws OutboxException if the event cannot be written; the transaction should be rolled back
   */
  public String publishPayload(Object payload) {
    return publish(eventOf(payload).build());
  }

  /**
   * Starts an event with an object as its JSON payload, for one that also has an aggregate, headers
   * or a delay.
   *
   * <pre>{@code
   * outbox.publish(
   *     outbox.eventOf(order).aggregateType("Order").aggregateId("42").ordered().build());
   * }</pre>
   *
   * @param payload the payload
   * @return a builder with type and payload set
   * @throws IllegalArgumentException if its class has no event type
   * @throws holdfast.payload.PayloadException if it cannot be written as JSON
   * @throws IllegalStateException if there is no {@link holdfast.payload.PayloadMapper}
   */
  public EventEnvelope.Builder eventOf(Object payload) {
    Objects.requireNonNull(payload, "an event needs a payload but was given null");
    return EventEnvelope.builder(payloads.typeOf(payload.getClass()))
        .payloadJson(payloads.write(payload));
  }

  /**
   * Publishes several events, with as few statements as the database allows.
   *
   * @param events the events, in order
   * @return their ids, in the same order
   * @throws NullPointerException if the list or an event is null; nothing is written then
   * @throws IllegalStateException if the calling thread is not inside a transaction
   * @throws OutboxException if an event cannot be written; the transaction should be rolled back
   */
  public List<String> publishAll(List<EventEnvelope> events) {
    checkNoneIsNull(events);
    if (!txContext.isTransactionActive()) {
      throw new IllegalStateException(
          "publish needs an active transaction on this thread but found none; begin one with"
              + " JdbcOutbox.begin() or JdbcTransactionManager, or call from a @Transactional method,"
              + " by way of its bean and on the same thread; after a commit, in a"
              + " @TransactionalEventListener, with Propagation.REQUIRES_NEW");
    }
    if (events.isEmpty()) {
      return List.of();
    }
    List<EventEnvelope> traced = events.stream().map(this::withTrace).toList();
    Connection conn = txContext.currentConnection();
    boolean mayLease = !txContext.hasUnseenSavepoint();
    Runnable deliver =
        dispatcher.insert(eventStore, conn, traced, mayLease, txContext::afterRollback);
    String first = traced.get(0).eventId();
    txContext.afterCommit(deliver, () -> requireKept(conn, first));
    return traced.stream().map(EventEnvelope::eventId).toList();
  }

  private void requireKept(Connection conn, String eventId) {
    if (eventStore instanceof LeaseStore leasing) {
      leasing.requireKept(conn, eventId);
    }
  }

  private static void checkNoneIsNull(List<EventEnvelope> events) {
    Objects.requireNonNull(events, "publishAll needs a list of events but was given null");
    int index = 0;
    for (EventEnvelope event : events) {
      if (event == null) {
        throw new NullPointerException(
            "publishAll needs events only but the one at index " + index + " was null");
      }
      index++;
    }
  }

  private EventEnvelope withTrace(EventEnvelope event) {
    String traceparent = traceContext.traceparent();
    return traceparent == null || event.headers().containsKey(TraceContext.HEADER)
        ? event
        : event.withHeader(TraceContext.HEADER, traceparent);
  }
}
