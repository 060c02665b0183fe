package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.jdbc.WakeUp;
import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.ChildJvm;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;

/** Nodes poll once a minute, so that what is delivered sooner was delivered by waking them. */
@Timeout(180)
class WakeUpTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SOONER = Duration.ofSeconds(40);

  /** One might be found by the poll with which a node begins to listen. */
  private static final int EVENTS = 4;

  /** Delivers, and says what. */
  static final class NodeMain {
    public static void main(String[] args) throws InterruptedException {
      ConnectionPool pool =
          ConnectionPool.over(() -> DriverManager.getConnection(args[0], args[1], args[2]));
      JdbcOutbox node =
          JdbcOutbox.builder(pool)
              .pollInterval(MINUTE)
              .listener("T", event -> Acknowledged.line(event.eventId()))
              .build();
      node.start();
      new CountDownLatch(1).await();
    }
  }

  private static void awaitListener(Nodes nodes) throws SQLException {
    try (Connection conn = nodes.pool.getConnection()) {
      Eventually.await("a node listens", MINUTE, () -> listeners(conn) == 1);
    }
  }

  private static int listeners(Connection conn) throws SQLException {
    try (Statement statement = conn.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()"
                    + " AND query = 'LISTEN holdfast_outbox_event'")) {
      row.next();
      return row.getInt(1);
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void aNodeThatOnlyPublishesWakesOneInAnotherJvm(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database);
        ChildJvm child =
            ChildJvm.of(NodeMain.class, database.url(), database.user(), database.password())
                .jvmOptions("-Xmx128m")
                .start()) {
      JdbcOutbox publisher = nodes.started(b -> b.wakeUp(WakeUp.ON).publishOnly());
      awaitListener(nodes);
      for (int i = 1; i <= EVENTS; i++) {
        String id = Nodes.publish(publisher, Nodes.event("T"));
        assertThat(child.awaitLines(i, SOONER).get(i - 1)).isEqualTo(id);
      }
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void whatAFullNodeLeavesToPollersWakesAnother(TestDatabase database) throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    try (Nodes nodes = Nodes.on(database)) {
      nodes.started(b -> b.wakeUp(WakeUp.ON).pollInterval(MINUTE).listener("T", nodes.recording()));
      awaitListener(nodes);
      JdbcOutbox full =
          nodes.delivering(
              b ->
                  b.wakeUp(WakeUp.ON)
                      .workers(1)
                      .hotQueueCapacity(1)
                      .listener("T", event -> end.await()));
      try (JdbcTransactionManager.Transaction tx = full.begin()) {
        full.publishAll(Collections.nCopies(20, "T").stream().map(Nodes::event).toList());
        tx.commit();
      }
      Eventually.await("the other has most", SOONER, () -> nodes.delivered.size() >= 18);
      end.countDown();
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void whatIsRedeliveredByANodeThatOnlyPublishesWakesAnother(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.started(b -> b.wakeUp(WakeUp.ON).publishOnly());
      nodes.started(b -> b.wakeUp(WakeUp.ON).pollInterval(MINUTE).listener("T", nodes.recording()));
      awaitListener(nodes);
      EventEnvelope event = Nodes.event("T");
      for (int i = 1; i <= EVENTS; i++) {
        int times = i;
        if (i == 1) {
          Nodes.publish(publisher, event);
        } else {
          nodes.table.update(
              "UPDATE outbox_event SET status = 3 WHERE event_id = ?", event.eventId());
          publisher.deadEvents().redeliver(event.eventId());
        }
        Eventually.await(
            times + " deliveries",
            SOONER,
            () -> nodes.delivered.size() == times && nodes.table.countWhere("status = 1") == 1);
      }
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void switchedOffNobodyListens(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b -> b.wakeUp(WakeUp.ON).wakeUp(WakeUp.OFF).listener("T", nodes.recording()));
      Nodes.publish(node, Nodes.event("T"));
      Eventually.await("delivered", () -> nodes.table.countWhere("status = 1") == 1);
      try (Connection conn = nodes.pool.getConnection()) {
        assertThat(listeners(conn)).isZero();
      }
    }
  }
}
