package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.payload.PayloadType;
import holdfast.payload.Payloads;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.RetryPolicy;
import outbox.model.EventStatus;

/**
 * The examples of the README and of docs/outbox.md: compiled here, run here, the same text there.
 */
@Timeout(60)
class DocumentedExamplesTest {

  /** Sends what it is given to the test. */
  private static final class Mailer {
    private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

    void send(String text) {
      sent.add(text);
    }
  }

  @PayloadType("OrderShipped")
  private record OrderShipped(long id) {}

  private Table table;

  @BeforeEach
  void empty(TestDatabase database) throws SQLException {
    table = Table.fresh(database);
    table.execute("DROP TABLE IF EXISTS documented_orders");
    table.execute("CREATE TABLE documented_orders (id INT PRIMARY KEY, item VARCHAR(20))");
  }

  private static void insertOrder(Connection connection, long id, String item) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO documented_orders (id, item) VALUES (?, ?)")) {
      insert.setLong(1, id);
      insert.setString(2, item);
      insert.executeUpdate();
    }
  }

  @EachDatabase
  void tenLines(TestDatabase database) throws Exception {
    DataSource dataSource = database.dataSource();
    Mailer mailer = new Mailer();
    // spotless:off
    // region ten lines
    @PayloadType("OrderPlaced")
    record OrderPlaced(long id, String item) {}

    JdbcOutbox outbox = JdbcOutbox.builder(dataSource)
        .createTables()
        .listener(OrderPlaced.class, order -> mailer.send(order.item()))
        .build();
    outbox.start();

    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      insertOrder(tx.connection(), 1, "tea");
      outbox.publishPayload(new OrderPlaced(1, "tea"));
      tx.commit();
    }
    // endregion
    // spotless:on
    assertThat(mailer.sent.poll(30, TimeUnit.SECONDS)).isEqualTo("tea");
    outbox.close();
    assertThat(table.countOf(EventStatus.DONE)).isEqualTo(1);
  }

  private static String publishOrdered(JdbcOutbox outbox) {
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      String id =
          // spotless:off
      // region ordered
      outbox.publish(
          outbox.eventOf(new OrderShipped(42))
              .aggregateType("Order").aggregateId("42").ordered()
              .build());
      // endregion
      // spotless:on
      tx.commit();
      return id;
    }
  }

  private record ThirdPartyOrder(long id) {}

  @EachDatabase
  void payloads(TestDatabase database) throws Exception {
    DataSource dataSource = database.dataSource();
    Mailer mailer = new Mailer();
    // spotless:off
    // region payloads
    JdbcOutbox outbox = JdbcOutbox.builder(dataSource)
        .payloads(Payloads.discovered().with(ThirdPartyOrder.class, "OrderImported"))
        .listener(ThirdPartyOrder.class, (order, event) -> mailer.send(event.eventId()))
        .build();
    // endregion
    // spotless:on
    outbox.start();
    String id = Nodes.publish(outbox, outbox.eventOf(new ThirdPartyOrder(1)).build());
    assertThat(mailer.sent.poll(30, TimeUnit.SECONDS)).isEqualTo(id);
    outbox.close();
    assertThat(table.row(id).get("event_type")).isEqualTo("OrderImported");
  }

  /** A broker or a service that answers later. */
  private static final class Remote {
    private final BlockingQueue<String> sent = new LinkedBlockingQueue<>();

    CompletableFuture<Void> send(String text) {
      return CompletableFuture.runAsync(() -> sent.add(text));
    }

    Map<String, Exception> sendAll(List<EventEnvelope> events) {
      events.forEach(event -> sent.add(event.payloadJson()));
      return Map.of();
    }
  }

  @EachDatabase
  void asynchronous(TestDatabase database) throws Exception {
    DataSource dataSource = database.dataSource();
    Remote broker = new Remote();
    // spotless:off
    // region asynchronous
    JdbcOutbox outbox = JdbcOutbox.builder(dataSource)
        .asyncListener("OrderPlaced", event -> broker.send(event.payloadJson()))
        .concurrency("OrderPlaced", 500)
        .build();
    // endregion
    // spotless:on
    assertDelivers(outbox, broker);
  }

  @EachDatabase
  void batches(TestDatabase database) throws Exception {
    DataSource dataSource = database.dataSource();
    Remote service = new Remote();
    // spotless:off
    // region batches
    JdbcOutbox outbox = JdbcOutbox.builder(dataSource)
        .batchListener("OrderPlaced", events -> service.sendAll(events))
        .build();
    // endregion
    // spotless:on
    assertDelivers(outbox, service);
  }

  private static void assertDelivers(JdbcOutbox outbox, Remote remote) throws Exception {
    outbox.start();
    Nodes.publish(outbox, Nodes.event("OrderPlaced"));
    assertThat(remote.sent.poll(30, TimeUnit.SECONDS)).isEqualTo("{}");
    outbox.close();
  }

  // spotless:off
  // region a policy that is asked with the failure
  static final class UnlessMalformed implements RetryPolicy {
    private final RetryPolicy backoff = new ExponentialBackoffRetryPolicy(200, 600_000);

    @Override
    public long computeDelayMs(int attempts) {
      return backoff.computeDelayMs(attempts);
    }

    @Override
    public Optional<Duration> delay(int attempts, Throwable failure) {
      return failure instanceof DateTimeParseException
          ? Optional.empty()
          : backoff.delay(attempts, failure);
    }
  }
  // endregion
  // spotless:on

  @EachDatabase
  void aMalformedEventIsNotTriedAgain(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox outbox =
          nodes.started(
              b ->
                  b.retryPolicy("OrderPlaced", new UnlessMalformed())
                      .listener("OrderPlaced", event -> LocalDate.parse(event.payloadJson())));
      String eventId = Nodes.publish(outbox, Nodes.event("OrderPlaced"));
      Eventually.await("dead", () -> nodes.table.status(eventId) == EventStatus.DEAD);
      assertThat(nodes.table.number(eventId, "attempts").intValue()).isEqualTo(1);
    }
  }

  @EachDatabase
  void deadEventsPurgeAndLedger(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox outbox =
          nodes.started(
              b ->
                  b.maxAttempts(1)
                      .listener("OrderShipped", nodes.recording())
                      .listener(
                          "OrderPlaced",
                          event -> {
                            throw new IllegalStateException("broken");
                          }));
      String eventId = Nodes.publish(outbox, Nodes.event("OrderPlaced"));
      String ordered = publishOrdered(outbox);
      Eventually.await("dead", () -> nodes.table.status(eventId) == EventStatus.DEAD);
      Eventually.await("done", () -> nodes.table.status(ordered) == EventStatus.DONE);
      assertThat(nodes.table.row(ordered).get("aggregate_id")).isEqualTo("42");
      List<DeadEvent> dead = outbox.deadEvents().list(DeadFilter.ALL.type("OrderPlaced"), 100);
      assertThat(dead).extracting(DeadEvent::eventId).containsExactly(eventId);
      // spotless:off
      // region dead events
      outbox.deadEvents().list(DeadFilter.ALL.type("OrderPlaced"), 100);
      outbox.deadEvents().redeliver(eventId);
      outbox.deadEvents().redeliverAll(DeadFilter.ALL);     // what is dead now; what dies again stays dead
      outbox.purge(Duration.ofDays(7));                  // DONE rows; purgeDead(...) for dead ones
      outbox.ledger().toLine();                           // all nodes together, purged ones included
      // endregion
      // spotless:on
      Eventually.await("dead again", () -> nodes.table.status(eventId) == EventStatus.DEAD);
      assertThat(outbox.ledger().toLine()).contains("accepted=2");
    }
  }
}
