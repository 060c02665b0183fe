package outbox.jdbc;

import holdfast.jdbc.WakeUp;
import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.dispatch.LeaseSettings;

/** Nodes of one outbox in one JVM, on one fresh table; closing closes all of them. */
final class Nodes implements AutoCloseable {
  /** Leases short enough for a test to see them run out. */
  static final Duration SHORT_LEASE = Duration.ofSeconds(2);

  final Table table;
  final ConnectionPool pool;
  final Queue<String> delivered = new ConcurrentLinkedQueue<>();
  private final List<JdbcOutbox> open = new ArrayList<>();

  private Nodes(Table table, ConnectionPool pool) {
    this.table = table;
    this.pool = pool;
  }

  static Nodes on(TestDatabase database) throws SQLException {
    return on(database, ConnectionPool.over(database.dataSource()));
  }

  static Nodes on(TestDatabase database, ConnectionPool pool) throws SQLException {
    return new Nodes(Table.fresh(database), pool);
  }

  static LeaseSettings shortLease(String node) {
    return new LeaseSettings(
        node, SHORT_LEASE, Duration.ofMillis(500), Duration.ofMillis(100), Duration.ofMinutes(1));
  }

  /** A node that is built and not started; polls often, retries soon, closes quickly. */
  JdbcOutbox made(UnaryOperator<JdbcOutboxBuilder> settings) {
    JdbcOutboxBuilder builder =
        JdbcOutbox.builder(pool)
            .wakeUp(WakeUp.OFF)
            .pollInterval(Duration.ofMillis(100))
            .retryPolicy(attempts -> 10)
            .closeTimeout(Duration.ofSeconds(10));
    JdbcOutbox node = settings.apply(builder).build();
    open.add(node);
    return node;
  }

  JdbcOutbox started(UnaryOperator<JdbcOutboxBuilder> settings) {
    JdbcOutbox node = made(settings);
    node.start();
    return node;
  }

  /** A node that delivers what it publishes and never polls. */
  JdbcOutbox delivering(UnaryOperator<JdbcOutboxBuilder> settings) {
    return started(b -> settings.apply(b).pollerEnabled(false));
  }

  /** Remembers the ids of what is delivered. */
  EventListener recording() {
    return event -> delivered.add(event.eventId());
  }

  static String publish(JdbcOutbox node, EventEnvelope event) {
    try (JdbcTransactionManager.Transaction tx = node.begin()) {
      String id = node.publish(event);
      tx.commit();
      return id;
    }
  }

  static EventEnvelope event(String type) {
    return EventEnvelope.ofJson(type, "{}");
  }

  /** Makes a row look as if its node had died: leased to it, and the lease has run out. */
  void abandon(String eventId, String deadNode) throws SQLException {
    table.update(
        "UPDATE outbox_event SET claimed_by = ?, available_at = TIMESTAMP '2020-01-01 00:00:00'"
            + " WHERE event_id = ?",
        deadNode,
        eventId);
  }

  @Override
  public void close() throws SQLException {
    for (JdbcOutbox node : open) {
      node.close(Duration.ofSeconds(10));
    }
    pool.close();
  }
}
