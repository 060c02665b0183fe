package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.payload.PayloadType;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;

/** The examples of docs/eventbus.md: compiled here, run here, the same text there. */
@Timeout(60)
class DocumentedExamplesTest {

  /** Sends what it is given to the test. */
  private static final class Mailer {
    private final Queue<String> sent = new ConcurrentLinkedQueue<>();

    void send(String text) {
      sent.add(text);
    }
  }

  private boolean running = true;

  private static void insertOrder(Connection connection, long id, String item) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO documented_orders (id, item) VALUES (?, ?)")) {
      insert.setLong(1, id);
      insert.setString(2, item);
      insert.executeUpdate();
    }
  }

  private static Connection begin(DataSource dataSource) throws SQLException {
    Connection connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    return connection;
  }

  /** Nothing is left to be done: the loop ends. */
  private void pause() {
    running = false;
  }

  @EachDatabase
  void tenLines(TestDatabase database) throws Exception {
    Tables tables = Tables.dropped(database);
    tables.execute("DROP TABLE IF EXISTS documented_orders");
    tables.execute("CREATE TABLE documented_orders (id INT PRIMARY KEY, item VARCHAR(20))");
    DataSource dataSource = database.dataSource();
    Mailer mailer = new Mailer();
    // spotless:off
    // region ten lines
    @PayloadType("OrderPlaced")
    record OrderPlaced(long id, String item) {}

    EventBus bus = EventBus.builder(dataSource)
        .createTables()
        .handler(OrderPlaced.class, order -> mailer.send(order.item()))
        .build();
    bus.start();

    long id = bus.publishPayload(new OrderPlaced(1, "tea"));

    try (Connection tx = begin(dataSource)) {  // or in your own transaction:
      insertOrder(tx, 2, "pot");               // rolled back, the event is discarded
      bus.publish(tx, bus.eventOf(new OrderPlaced(2, "pot")).build());
      tx.commit();
    }
    // endregion
    // spotless:on
    Eventually.await("both sent", () -> mailer.sent.size() == 2);
    assertThat(mailer.sent).containsExactlyInAnyOrder("tea", "pot");
    bus.close();
    assertThat(tables.count("documented_orders")).isEqualTo(1);
    assertThat(tables.loggedIds(EventStatus.COMPLETED)).hasSize(2).contains(id);
  }

  @EachDatabase
  void aLoopOfOnesOwn(TestDatabase database) throws Exception {
    try (Buses buses = Buses.on(database)) {
      EventBus bus = buses.made();
      long good = bus.publish(Buses.event("OrderPlaced"));
      long bad = bus.publish(Buses.event("OrderLost"));
      EventRouter router = new EventRouter();
      router.register("OrderPlaced", buses.recording());
      router.register(
          "OrderLost",
          event -> {
            throw new IllegalStateException("broken");
          });
      // spotless:off
      // region a loop of your own
      while (running) {
        Event event = bus.poll().orElse(null);          // any type, never waits
        if (event == null) { pause(); continue; }
        try {
          router.route(event);
          bus.finalize(event, true);                    // false: the claim had passed to another
        } catch (Exception e) {
          bus.fail(event, e.toString());
        }
      }
      // endregion
      // spotless:on
      assertThat(buses.handled).containsExactly(good);
      assertThat(buses.tables.loggedIds(EventStatus.COMPLETED)).containsExactly(good);
      assertThat((String) buses.tables.logged(bad).get("error")).contains("broken");
    }
  }

  @EachDatabase
  void theLogAndTheLedger(TestDatabase database) throws Exception {
    try (Buses buses = Buses.on(database)) {
      EventBus bus = buses.made();
      long id = bus.publish(Buses.event("OrderPlaced"));
      bus.finalize(id, false);
      bus.finalize(bus.publish(Buses.event("OrderPlaced")), false);
      // spotless:off
      // region the log
      bus.log().list(LogFilter.FAILED.type("OrderPlaced"), 100);
      bus.log().republish(id);                          // a new event with a new id; the line stays
      bus.log().republishAll(LogFilter.FAILED);         // each line once; always ends
      bus.log().purgeCompleted(Duration.ofDays(7));     // or retention(...) on the builder
      bus.backlog();                                    // depth, due, oldest age, by type
      bus.ledger().toLine();                            // all nodes together, purged ones included
      bus.counts();                                     // this node: acquired, completed, failed, stale, handler time
      // endregion
      // spotless:on
      assertThat(bus.ledger().toLine())
          .isEqualTo(
              "eventbus accepted=4 delivered=0 held=4(pending=2 failed=2) lost=0 unaccounted=0");
    }
  }

  @EachDatabase
  void aMalformedEventIsNotTriedAgain(TestDatabase database) throws Exception {
    Tables tables = Tables.fresh(database);
    DataSource dataSource = database.dataSource();
    // spotless:off
    // region a policy that is asked with the failure
    RetryPolicy unlessMalformed =
        (failures, failure) -> failure instanceof DateTimeParseException
            ? Optional.empty()
            : RetryPolicy.DEFAULT.delay(failures, failure);
    EventBus bus = EventBus.builder(dataSource)
        .handler("OrderPlaced", event -> LocalDate.parse(event.payload()))
        .retryFor(Duration.ofHours(6))
        .retryPolicy("OrderPlaced", unlessMalformed)
        .build();
    // endregion
    // spotless:on
    try (bus) {
      bus.start();
      long id = bus.publish(Event.of("OrderPlaced", "tomorrow"));
      Eventually.await("failed", () -> !tables.logged(id).isEmpty());
      assertThat(tables.logged(id)).containsEntry("status", "FAILED");
      assertThat(bus.counts().retried()).isZero();
    }
  }
}
