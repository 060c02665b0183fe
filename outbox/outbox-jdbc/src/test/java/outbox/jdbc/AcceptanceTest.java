package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import outbox.AggregateType;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.EventType;
import outbox.OutboxClient;
import outbox.dispatch.DefaultInFlightTracker;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.OutboxDispatcher;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.MetricsExporter;

/** The acceptance lines of the specification, with its plain wiring. */
class AcceptanceTest {

  enum UserEvents implements EventType {
    USER_CREATED
  }

  enum Aggregates implements AggregateType {
    USER
  }

  private final DefaultListenerRegistry registry = new DefaultListenerRegistry();
  private final JdbcOutboxRepository repository = new JdbcOutboxRepository();
  private final ThreadLocalTxContext txContext = new ThreadLocalTxContext();
  private final Queue<EventEnvelope> delivered = new ConcurrentLinkedQueue<>();
  private Table table;
  private DataSourceConnectionProvider connectionProvider;
  private JdbcTransactionManager txManager;
  private OutboxDispatcher dispatcher;

  @BeforeEach
  void connect(TestDatabase database) throws SQLException {
    table = Table.fresh(database);
    connectionProvider = new DataSourceConnectionProvider(database.dataSource());
    txManager = new JdbcTransactionManager(connectionProvider, txContext);
  }

  @AfterEach
  void close() {
    if (dispatcher != null) {
      dispatcher.close(Duration.ofSeconds(5));
    }
  }

  private OutboxClient client(int maxAttempts, int hotCapacity) {
    dispatcher =
        new OutboxDispatcher(
            connectionProvider,
            repository,
            registry,
            new DefaultInFlightTracker(),
            new ExponentialBackoffRetryPolicy(1, 5),
            maxAttempts,
            1,
            hotCapacity,
            1000,
            MetricsExporter.NOOP);
    return new OutboxClient(txContext, repository, dispatcher, MetricsExporter.NOOP);
  }

  private OutboxPoller poller(Duration skipRecent) {
    return new OutboxPoller(
        connectionProvider, repository, dispatcher, skipRecent, 200, 5000, MetricsExporter.NOOP);
  }

  private String publish(OutboxClient client, EventEnvelope event) {
    try (JdbcTransactionManager.Transaction tx = txManager.begin()) {
      String id = client.publish(event);
      tx.commit();
      return id;
    }
  }

  @EachDatabase // 18.1
  void atomicity() throws Exception {
    registry.registerAll(delivered::add);
    OutboxClient client = client(10, 1000);
    String id;
    try (JdbcTransactionManager.Transaction tx = txManager.begin()) {
      id = client.publish(EventEnvelope.ofJson("UserCreated", "{}"));
      tx.rollback();
    }
    assertThat(table.row(id)).isEmpty();
    dispatcher.close(Duration.ofSeconds(5));
    assertThat(delivered).isEmpty();
  }

  @EachDatabase // 18.2
  void commitAndFastPath() throws Exception {
    registry.register("UserCreated", delivered::add);
    EventEnvelope event =
        EventEnvelope.builder("UserCreated")
            .tenantId("t")
            .header("h", "1")
            .payloadJson("{\"id\": 123}")
            .build();
    String id = publish(client(10, 1000), event);
    Eventually.await("done", () -> table.status(id) == EventStatus.DONE);
    assertThat(delivered).containsExactly(event);
    assertThat(table.row(id).get("done_at")).isNotNull();
  }

  @EachDatabase // 18.3
  void queueOverflowDowngrade() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch started = new CountDownLatch(1);
    EventListener slow =
        event -> {
          started.countDown();
          release.await();
          delivered.add(event);
        };
    registry.register("Slow", slow);
    OutboxClient client = client(10, 1);
    publish(client, EventEnvelope.ofJson("Slow", "{}"));
    started.await();
    publish(client, EventEnvelope.ofJson("Slow", "{}"));
    String dropped = publish(client, EventEnvelope.ofJson("Slow", "{}"));
    assertThat(table.status(dropped)).isEqualTo(EventStatus.NEW);
    release.countDown();
    try (OutboxPoller poller = poller(Duration.ZERO)) {
      poller.start();
      Eventually.await("done", () -> table.count(EventStatus.DONE) == 3);
    }
    assertThat(delivered).hasSize(3);
  }

  @EachDatabase // 18.4
  void retryAndDead() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch mayFailAgain = new CountDownLatch(1);
    registry.register(
        "Bad",
        event -> {
          if (calls.incrementAndGet() > 1) {
            mayFailAgain.await();
          }
          throw new IllegalStateException("broken");
        });
    String id = publish(client(3, 1000), EventEnvelope.ofJson("Bad", "{}"));
    Eventually.await("retry", () -> table.status(id) == EventStatus.RETRY);
    assertThat(table.number(id, "attempts").intValue()).isEqualTo(1);
    mayFailAgain.countDown();
    try (OutboxPoller poller = poller(Duration.ZERO)) {
      poller.start();
      Eventually.await("dead", () -> table.status(id) == EventStatus.DEAD);
    }
    assertThat(calls).hasValue(3);
    assertThat(table.number(id, "attempts").intValue()).isEqualTo(3);
    assertThat(table.row(id).get("last_error").toString()).contains("broken");
  }

  @EachDatabase // 18.5
  void typeSafeEventType() throws Exception {
    registry.register(UserEvents.USER_CREATED, delivered::add);
    EventEnvelope event = EventEnvelope.builder(UserEvents.USER_CREATED).payloadJson("{}").build();
    publish(client(10, 1000), event);
    Eventually.await("delivered", () -> delivered.contains(event));
  }

  @EachDatabase // 18.6
  void typeSafeAggregateType() throws Exception {
    EventEnvelope event =
        EventEnvelope.builder("UserCreated")
            .aggregateType(Aggregates.USER)
            .aggregateId("user-123")
            .payloadJson("{}")
            .build();
    assertThat(event.aggregateType()).isEqualTo("USER");
    registry.registerAll(delivered::add);
    client(10, 1000);
    String id =
        publish(new OutboxClient(txContext, repository, dispatcher, MetricsExporter.NOOP), event);
    assertThat(table.row(id).get("aggregate_type")).isEqualTo("USER");
    assertThat(List.copyOf(delivered)).allMatch(e -> "USER".equals(e.aggregateType()));
  }
}
