package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
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

  private record Order(int id) {}

  private Table table;

  @BeforeEach
  void empty(TestDatabase database) throws SQLException {
    table = Table.fresh(database);
    table.execute("DROP TABLE IF EXISTS documented_orders");
    table.execute("CREATE TABLE documented_orders (id INT PRIMARY KEY)");
  }

  private static void insertOrder(Connection connection, Order order) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO documented_orders (id) VALUES (?)")) {
      insert.setInt(1, order.id());
      insert.executeUpdate();
    }
  }

  @EachDatabase
  void tenLines(TestDatabase database) throws Exception {
    DataSource dataSource = database.dataSource();
    Mailer mailer = new Mailer();
    Order order = new Order(1);
    // spotless:off
    // region ten lines
    JdbcOutbox outbox = JdbcOutbox.builder(dataSource)
        .createTables()
        .listener("OrderPlaced", event -> mailer.send(event.payloadJson()))
        .build();
    outbox.start();

    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      insertOrder(tx.connection(), order);
      outbox.publish(EventEnvelope.ofJson("OrderPlaced", "{\"id\":1}"));
      tx.commit();
    }
    // endregion
    // spotless:on
    assertThat(mailer.sent.poll(30, TimeUnit.SECONDS)).isEqualTo("{\"id\":1}");
    outbox.close();
    assertThat(table.countOf(EventStatus.DONE)).isEqualTo(1);
  }

  private static EventEnvelope ordered() {
    return
    // spotless:off
    // region ordered
    EventEnvelope.builder("OrderShipped")
        .aggregateType("Order").aggregateId("42").ordered()
        .payloadJson("{}")
        .build();
    // endregion
    // spotless:on
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
      EventEnvelope ordered = ordered();
      assertThat(ordered.isOrdered()).isTrue();
      Nodes.publish(outbox, ordered);
      Eventually.await("dead", () -> nodes.table.status(eventId) == EventStatus.DEAD);
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 1);
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
