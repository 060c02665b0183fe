package outbox.jdbc;

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
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;
import outbox.EventListener;

/** Nodes killed in the middle of their work lose nothing that was committed. */
@Timeout(300)
class KilledNodeTest {
  private static final int KILLS = 5;
  private static final int LINES_BEFORE_KILL = 150;
  private static final String COMMITTED = "committed ";
  private static final String ROLLED_BACK = "rolled-back ";

  /** Publishes and delivers until it is killed; says what it committed and what it rolled back. */
  static final class NodeMain {
    public static void main(String[] args) {
      ConnectionPool pool =
          ConnectionPool.over(() -> DriverManager.getConnection(args[0], args[1], args[2]));
      JdbcOutbox node =
          JdbcOutbox.builder(pool)
              .lease(Nodes.shortLease(args[3]))
              .pollInterval(Duration.ofMillis(100))
              .listener("T", recording(pool, args[3]))
              .build();
      node.start();
      for (int i = 1; ; i++) {
        try (JdbcTransactionManager.Transaction tx = node.begin()) {
          String id = node.publish(Nodes.event("T"));
          if (i % 5 == 0) {
            tx.rollback();
            Acknowledged.line(ROLLED_BACK + id);
          } else {
            tx.commit();
            Acknowledged.line(COMMITTED + id);
          }
        }
      }
    }
  }

  /** Writes each delivery down in a transaction of its own. */
  private static EventListener recording(DataSource dataSource, String node) {
    return event -> {
      try (Connection conn = dataSource.getConnection();
          PreparedStatement insert =
              conn.prepareStatement("INSERT INTO deliveries (event_id, node) VALUES (?, ?)")) {
        insert.setString(1, event.eventId());
        insert.setString(2, node);
        insert.executeUpdate();
      }
    };
  }

  private static Map<String, List<String>> deliveries(Nodes nodes) throws SQLException {
    Map<String, List<String>> nodesOf = new TreeMap<>();
    try (Connection conn = nodes.pool.getConnection();
        Statement statement = conn.createStatement();
        ResultSet rows = statement.executeQuery("SELECT event_id, node FROM deliveries")) {
      while (rows.next()) {
        nodesOf.computeIfAbsent(rows.getString(1), id -> new ArrayList<>()).add(rows.getString(2));
      }
    }
    return nodesOf;
  }

  private static void note(List<String> lines, String kind, Set<String> ids) {
    lines.stream()
        .filter(line -> line.startsWith(kind))
        .map(line -> line.substring(kind.length()))
        .forEach(ids::add);
  }

  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void everyCommittedEventIsDeliveredAndNoOther(TestDatabase database) throws Exception {
    Set<String> committed = new TreeSet<>();
    Set<String> rolledBack = new TreeSet<>();
    try (Nodes nodes = Nodes.on(database)) {
      nodes.table.execute("DROP TABLE IF EXISTS deliveries");
      nodes.table.execute("CREATE TABLE deliveries (event_id VARCHAR(36), node VARCHAR(40))");
      nodes.started(
          b -> b.lease(Nodes.shortLease("parent")).listener("T", recording(nodes.pool, "parent")));
      for (int kill = 1; kill <= KILLS; kill++) {
        try (ChildJvm child =
            ChildJvm.of(
                    NodeMain.class,
                    database.url(),
                    database.user(),
                    database.password(),
                    "child-" + kill)
                .jvmOptions("-Xmx128m")
                .start()) {
          child.awaitLines(LINES_BEFORE_KILL, Duration.ofSeconds(60));
          assertThat(child.kill()).isEqualTo(137);
          note(child.lines(), COMMITTED, committed);
          note(child.lines(), ROLLED_BACK, rolledBack);
        }
      }
      Eventually.await(
          "everything delivered",
          Duration.ofSeconds(120),
          () -> nodes.table.countWhere("status <> 1") == 0);
      Map<String, List<String>> delivered = deliveries(nodes);
      assertThat(delivered.keySet()).containsAll(committed);
      assertThat(delivered.keySet()).doesNotContainAnyElementsOf(rolledBack);
      long twice = delivered.values().stream().filter(by -> by.size() > 1).count();
      // The parent lives on, so whatever came twice came first from a node that was killed.
      assertThat(delivered.values())
          .allSatisfy(by -> assertThat(by.stream().filter("parent"::equals)).hasSizeLessThan(2));
      System.out.printf(
          "%s: %d kills, %d acknowledged, %d rolled back, %d delivered, %d of them twice,"
              + " %d by the survivor%n",
          database.kind(),
          KILLS,
          committed.size(),
          rolledBack.size(),
          delivered.size(),
          twice,
          delivered.values().stream().filter(by -> by.contains("parent")).count());
    }
  }
}
