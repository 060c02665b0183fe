package eventbus;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.process.Acknowledged;
import holdfast.testkit.process.ChildJvm;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;

/** Workers killed in the middle of their work lose nothing and close nothing twice. */
@Timeout(300)
class KilledWorkerTest {
  private static final int KILLS = 3;
  private static final int EVENTS = 1_500;
  private static final int RUNS_BEFORE_KILL = 150;

  /** Handles events until it is killed, and says so. */
  static final class WorkerMain {
    public static void main(String[] args) throws Exception {
      ConnectionPool pool =
          ConnectionPool.over(() -> DriverManager.getConnection(args[0], args[1], args[2]));
      EventBus bus = bus(pool, args[3]);
      bus.start();
      new CountDownLatch(1).await();
    }
  }

  private static EventBus bus(DataSource pool, String name) {
    return EventBus.builder(pool)
        .name(name)
        .abandonmentTimeout(Buses.SHORT_TIMEOUT)
        .pollInterval(Duration.ofMillis(100))
        .batchSize(20)
        .handler("A", event -> note(pool, event, name))
        .build();
  }

  /** Writes each run down in a transaction of its own. */
  private static void note(DataSource pool, Event event, String name) throws SQLException {
    try (Connection conn = pool.getConnection();
        PreparedStatement insert =
            conn.prepareStatement("INSERT INTO runs (event_id, worker) VALUES (?, ?)")) {
      insert.setLong(1, event.id());
      insert.setString(2, name);
      insert.executeUpdate();
    }
    if (!name.equals("survivor")) {
      Acknowledged.line("ran " + event.id());
    }
  }

  private static Map<Long, List<String>> runs(Buses buses) throws SQLException {
    Map<Long, List<String>> workers = new TreeMap<>();
    try (Connection conn = buses.pool.getConnection();
        Statement statement = conn.createStatement();
        ResultSet rows = statement.executeQuery("SELECT event_id, worker FROM runs")) {
      while (rows.next()) {
        workers.computeIfAbsent(rows.getLong(1), id -> new ArrayList<>()).add(rows.getString(2));
      }
    }
    return workers;
  }

  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void everyEventIsClosedOnceAndEveryRepeatedRunFollowsAKill(TestDatabase database)
      throws Exception {
    try (Buses buses = Buses.on(database)) {
      buses.tables.execute("DROP TABLE IF EXISTS runs");
      buses.tables.execute("CREATE TABLE runs (event_id BIGINT, worker VARCHAR(40))");
      List<Event> events = java.util.Collections.nCopies(EVENTS, Buses.event("A"));
      List<Long> ids = buses.made().publishAll(events);
      for (int kill = 1; kill <= KILLS; kill++) {
        try (ChildJvm child =
            ChildJvm.of(
                    WorkerMain.class,
                    database.url(),
                    database.user(),
                    database.password(),
                    "child-" + kill)
                .jvmOptions("-Xmx128m")
                .start()) {
          child.awaitLines(RUNS_BEFORE_KILL, Duration.ofSeconds(60));
          assertThat(child.kill()).isEqualTo(137);
        }
      }
      assertThat(buses.tables.count("events")).as("killed in the middle").isPositive();
      try (EventBus survivor = bus(buses.pool, "survivor")) {
        survivor.start();
        Eventually.await(
            "everything closed",
            Duration.ofSeconds(120),
            () -> buses.tables.count("event_log") == EVENTS);
        assertThat(survivor.ledger().toLine())
            .isEqualTo(
                "eventbus accepted=%1$d delivered=%1$d held=0 lost=0 unaccounted=0"
                    .formatted(EVENTS));
      }
      assertThat(buses.tables.loggedIds(EventStatus.COMPLETED)).isEqualTo(ids);
      Map<Long, List<String>> runs = runs(buses);
      assertThat(runs.keySet()).containsExactlyElementsOf(ids);
      // Whoever ran an event a second time took it over from one who was killed with it.
      assertThat(runs.values())
          .allSatisfy(by -> assertThat(by).doesNotHaveDuplicates())
          .allSatisfy(by -> assertThat(by).hasSizeLessThanOrEqualTo(1 + KILLS));
      System.out.printf(
          "%s: %d kills, %d events, %d run more than once%n",
          database.kind(),
          KILLS,
          EVENTS,
          runs.values().stream().filter(by -> by.size() > 1).count());
    }
  }
}
