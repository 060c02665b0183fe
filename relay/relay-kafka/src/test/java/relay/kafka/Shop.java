package relay.kafka;

import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.net.URI;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import outbox.EventEnvelope;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcOutboxBuilder;
import outbox.jdbc.JdbcTransactionManager;

/** An outbox on a database of its own, with a relay as its listener of all types. */
final class Shop implements AutoCloseable {
  static final URI SOURCE = URI.create("https://shop.example/orders");

  private final TestDatabase database;
  private final ConnectionPool pool;
  private final KafkaRelay relay;
  private final JdbcOutbox outbox;

  Shop(KafkaRelay relay) throws SQLException {
    this(relay, settings -> settings);
  }

  Shop(KafkaRelay relay, UnaryOperator<JdbcOutboxBuilder> settings) throws SQLException {
    this.database = TestDatabase.open(DatabaseKind.H2);
    this.pool = ConnectionPool.over(database.dataSource());
    this.relay = relay;
    JdbcOutboxBuilder builder =
        JdbcOutbox.builder(pool)
            .createTables()
            .workers(2)
            .pollInterval(Duration.ofMillis(100))
            .listenerForAll(relay);
    this.outbox = settings.apply(builder).build();
    relay.start();
    outbox.start();
  }

  /** Settings of a producer that gives up soon. */
  static Map<String, Object> impatient(String address) {
    return Map.of(
        "bootstrap.servers",
        address,
        "delivery.timeout.ms",
        2_000,
        "request.timeout.ms",
        1_000,
        "max.block.ms",
        1_000,
        "reconnect.backoff.max.ms",
        200);
  }

  static EventEnvelope.Builder order(String id) {
    return EventEnvelope.builder("OrderPlaced").aggregateType("Order").aggregateId(id);
  }

  JdbcOutbox outbox() {
    return outbox;
  }

  KafkaRelay relay() {
    return relay;
  }

  String publish(EventEnvelope event) {
    publish(List.of(event));
    return event.eventId();
  }

  void publish(List<EventEnvelope> events) {
    try (JdbcTransactionManager.Transaction tx = outbox.begin()) {
      outbox.publishAll(events);
      tx.commit();
    }
  }

  int count(String condition) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT COUNT(*) FROM outbox_event WHERE " + condition)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  String lastError(String eventId) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT last_error FROM outbox_event WHERE event_id = '" + eventId + "'")) {
      rows.next();
      return rows.getString(1);
    }
  }

  void awaitDone(int events) throws SQLException {
    Eventually.await(
        events + " events done", Duration.ofSeconds(60), () -> count("status = 1") == events);
  }

  void awaitDead(int events) throws SQLException {
    Eventually.await(
        events + " events dead", Duration.ofSeconds(60), () -> count("status = 3") == events);
  }

  @Override
  public void close() throws SQLException {
    outbox.close(Duration.ofSeconds(10));
    relay.close(Duration.ofSeconds(10));
    pool.close();
    database.close();
  }
}
