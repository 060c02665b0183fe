package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.process.ChildJvm;
import holdfast.testkit.threads.Eventually;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import outbox.model.EventStatus;

/** An event whose listener ends the JVM is dead in the end, and no other event is. */
@Timeout(300)
class PoisonedEventTest {
  private static final int WORKERS = 4;
  private static final int MAX_LAPSES = 2;

  /** One as an ordinary event, two in groups (of 4 and of 2 at most), then alone. */
  private static final int MOST_KILLS = 1 + 2 + MAX_LAPSES;

  /** Delivers until a listener ends it, or the parent does. */
  static final class NodeMain {
    public static void main(String[] args) throws Exception {
      ConnectionPool pool =
          ConnectionPool.over(() -> DriverManager.getConnection(args[0], args[1], args[2]));
      JdbcOutbox.builder(pool)
          .lease(Nodes.shortLease("node-" + ProcessHandle.current().pid()))
          .pollInterval(Duration.ofMillis(100))
          .workers(WORKERS)
          .maxLapses(MAX_LAPSES)
          .listener("innocent", event -> {})
          .listener("poisoned", event -> Runtime.getRuntime().halt(3))
          .build()
          .start();
      new CountDownLatch(1).await();
    }
  }

  @EachDatabase({DatabaseKind.POSTGRESQL})
  void isDeadAfterABoundedNumberOfKills(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      for (int i = 0; i < 10; i++) {
        Nodes.publish(publisher, Nodes.event("innocent"));
      }
      String poisoned = Nodes.publish(publisher, Nodes.event("poisoned"));
      for (int i = 0; i < 10; i++) {
        Nodes.publish(publisher, Nodes.event("innocent"));
      }
      int kills = 0;
      while (nodes.table.status(poisoned) != EventStatus.DEAD) {
        assertThat(kills).isLessThanOrEqualTo(MOST_KILLS);
        kills += runUntilItEnds(database, nodes, poisoned) ? 1 : 0;
      }
      assertThat(nodes.table.countOf(EventStatus.DEAD)).isEqualTo(1);
      try (ChildJvm last = node(database)) {
        assertThat(last.isAlive()).isTrue();
        Eventually.await("the others", () -> nodes.table.countOf(EventStatus.DONE) == 20);
      }
    }
  }

  private static ChildJvm node(TestDatabase database) {
    return ChildJvm.of(NodeMain.class, database.url(), database.user(), database.password())
        .jvmOptions("-Xmx128m")
        .start();
  }

  /** Returns whether the event ended its JVM; otherwise it is dead now. */
  private static boolean runUntilItEnds(TestDatabase database, Nodes nodes, String poisoned)
      throws Exception {
    try (ChildJvm node = node(database)) {
      Eventually.await(
          "ended, or given up",
          Duration.ofSeconds(60),
          () -> !node.isAlive() || nodes.table.status(poisoned) == EventStatus.DEAD);
      return !node.isAlive();
    }
  }
}
