package outbox.memory;

import holdfast.testkit.threads.Eventually;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.dispatch.InFlightTracker;
import outbox.dispatch.OutboxDispatcher;
import outbox.dispatch.OutboxDispatcherBuilder;
import outbox.dispatch.QueuedEvent;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;

/** One node with an application's own five-method store. Safe for use by many threads. */
public final class PlainOutbox implements AutoCloseable {
  /** Where the rows are. */
  public final MemoryTable table;

  /** Who listens. */
  public final DefaultListenerRegistry listeners = new DefaultListenerRegistry();

  /** What was counted. */
  public final CountingMetrics metrics = new CountingMetrics();

  /** The transactions of the calling thread. */
  public final MemoryTransactions transactions = new MemoryTransactions();

  /** What {@link #record} was given, in order. */
  public final Queue<EventEnvelope> delivered = new ConcurrentLinkedQueue<>();

  /** The dispatcher, with its threads running. */
  public final OutboxDispatcher dispatcher;

  /** What publishes. */
  public final OutboxClient client;

  private final TimeSource time;
  private final Held held = new Held();

  /** Knows which events the node has in flight, unless it is replaced. */
  private static final class Held implements InFlightTracker {
    private final Set<String> events = ConcurrentHashMap.newKeySet();

    @Override
    public boolean tryAcquire(String eventId) {
      return events.add(eventId);
    }

    @Override
    public void release(String eventId) {
      events.remove(eventId);
    }
  }

  /** A node on the system's clock with one worker and retries that are due at once. */
  public PlainOutbox() {
    this(b -> b);
  }

  /** A node on the system's clock. */
  public PlainOutbox(UnaryOperator<OutboxDispatcherBuilder> settings) {
    this(TimeSource.system(), settings);
  }

  /** A node on a clock of the test's. */
  public PlainOutbox(TimeSource time, UnaryOperator<OutboxDispatcherBuilder> settings) {
    this.time = time;
    this.table = new MemoryTable(time);
    OutboxDispatcherBuilder builder =
        OutboxDispatcher.builder(table, table, listeners)
            .workers(1)
            .retryPolicy(attempts -> 0)
            .metrics(metrics)
            .inFlightTracker(held)
            .time(time);
    this.dispatcher = settings.apply(builder).build();
    this.client = new OutboxClient(transactions, table, dispatcher, metrics);
  }

  /** A poller of this node, not started. */
  public OutboxPoller poller(int batchSize, Duration interval) {
    return new OutboxPoller(
        table, table, dispatcher, Duration.ZERO, batchSize, interval.toMillis(), metrics);
  }

  /** A listener that keeps what it gets. */
  public void record(EventEnvelope event) {
    delivered.add(event);
  }

  /** Publishes an event in a transaction of its own. */
  public EventEnvelope publish(String eventType) {
    EventEnvelope event = EventEnvelope.ofJson(eventType, "{}");
    transactions.commit(() -> client.publish(event));
    return event;
  }

  /** Queues an event hot, as if its transaction had just committed. */
  public boolean hot(EventEnvelope event) {
    return dispatcher.enqueueHot(new QueuedEvent(event, QueuedEvent.Source.HOT, 0));
  }

  /** Queues an event cold, as if a poller had found it. */
  public boolean cold(EventEnvelope event, int attempts) {
    return dispatcher.enqueueCold(new QueuedEvent(event, QueuedEvent.Source.COLD, attempts));
  }

  /** Waits until the event has that status and this node has let go of it. */
  public void await(EventEnvelope event, EventStatus status) {
    Eventually.await(
        event + " " + status,
        () ->
            table.row(event.eventId()).filter(r -> r.status() == status).isPresent()
                && !held.events.contains(event.eventId()));
  }

  /** Waits until the node has nothing in flight. */
  public void awaitIdle() {
    Eventually.await("nothing in flight", () -> dispatcher.inFlight() == 0);
  }

  @Override
  public void close() {
    dispatcher.close(Duration.ofSeconds(5));
  }
}
