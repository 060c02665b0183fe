package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.jdbc.WakeUp;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.sql.Connection;
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
  void aNodeThatOnlyPublishesWakesAnother(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      nodes.started(b -> b.wakeUp(WakeUp.ON).pollInterval(MINUTE).listener("T", nodes.recording()));
      awaitListener(nodes);
      JdbcOutbox publisher = nodes.started(b -> b.wakeUp(WakeUp.ON).publishOnly());
      for (int i = 1; i <= EVENTS; i++) {
        int delivered = i;
        Nodes.publish(publisher, Nodes.event("T"));
        Eventually.await(
            delivered + " delivered", SOONER, () -> nodes.delivered.size() == delivered);
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
  void whatANodeReleasesWhenItClosesWakesAnother(TestDatabase database) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox closing =
          nodes.delivering(
              b ->
                  b.wakeUp(WakeUp.ON)
                      .workers(1)
                      .listener(
                          "T",
                          event -> {
                            begun.countDown();
                            new CountDownLatch(1).await();
                          }));
      for (int i = 0; i < 10; i++) {
        Nodes.publish(closing, Nodes.event("T"));
      }
      begun.await();
      SettableTime time = new SettableTime(); // stands still: it polls only if it is woken
      nodes.started(b -> b.wakeUp(WakeUp.ON).timeSource(time).listener("T", nodes.recording()));
      awaitListener(nodes);
      time.awaitSleepers(3); // who polls, who writes and who watches
      closing.close(Duration.ofSeconds(4)); // of which one is for what must be released
      Eventually.await("delivered", SOONER, () -> nodes.delivered.size() == 10);
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
