package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import outbox.EventListener;
import outbox.model.EventStatus;

/** What a node has published is for others too, if it would wait here for longer than a second. */
@Timeout(120)
class SharedHotQueueTest {
  private static final String LATER = "paused when two was there";

  private final AtomicInteger byOne = new AtomicInteger();
  private final AtomicInteger byTwo = new AtomicInteger();

  private static int rows(Nodes nodes, String condition) throws SQLException {
    try (Connection conn = nodes.table.database.connect();
        Statement statement = conn.createStatement();
        ResultSet found =
            statement.executeQuery("SELECT COUNT(*) FROM outbox_event_node WHERE " + condition)) {
      found.next();
      return found.getInt(1);
    }
  }

  /** Another node that is there, and a pause that began later: both are read in one statement. */
  private static void startOther(Nodes nodes, EventListener listener) throws Exception {
    JdbcOutbox two =
        nodes.started(b -> b.workers(1).lease(Nodes.shortLease("two")).listener("A", listener));
    Eventually.await("two", () -> rows(nodes, "node = 'two'") == 1);
    two.control().pause(LATER);
  }

  private static void awaitSeen(JdbcOutbox one) {
    Eventually.await("one has seen two", () -> one.control().knownPaused().contains(LATER));
  }

  private static void publishAll(JdbcOutbox node, int count) {
    try (JdbcTransactionManager.Transaction tx = node.begin()) {
      node.publishAll(Stream.generate(() -> Nodes.event("A")).limit(count).toList());
      tx.commit();
    }
  }

  private static EventListener taking(long millis, AtomicInteger count) {
    CountDownLatch never = new CountDownLatch(1);
    return event -> {
      never.await(millis, TimeUnit.MILLISECONDS);
      count.incrementAndGet();
    };
  }

  @EachDatabase
  void whatWouldWaitLongerThanASecondIsInsertedForAll(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      startOther(nodes, taking(100, byTwo));
      JdbcOutbox one =
          nodes.started(
              b -> b.workers(1).lease(Nodes.shortLease("one")).listener("A", taking(100, byOne)));
      awaitSeen(one);
      int before = 0;
      while (byOne.get() < 2) { // its worker begins the second when the first was measured
        int done = ++before;
        Nodes.publish(one, Nodes.event("A"));
        Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == done);
      }
      int all = before + 60;
      publishAll(one, 60);
      assertThat(one.dispatcher().inFlight()).as("one worker, ten in a second").isLessThan(20);
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == all);
      assertThat(byTwo).hasValueGreaterThan(15);
      assertThat(byOne.get() + byTwo.get()).isEqualTo(all);
    }
  }

  @EachDatabase
  void whatHasWaitedForASecondIsReleased(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      Semaphore end = new Semaphore(0);
      startOther(nodes, event -> byTwo.incrementAndGet());
      JdbcOutbox one =
          nodes.started(
              b ->
                  b.workers(1)
                      .lease(Nodes.shortLease("one"))
                      .listener(
                          "A",
                          event -> {
                            byOne.incrementAndGet();
                            end.acquire();
                          }));
      awaitSeen(one);
      publishAll(one, 1);
      Eventually.await("busy", () -> byOne.get() == 1);
      publishAll(one, 9);
      Eventually.await("taken by two", () -> byTwo.get() == 9);
      end.release(100);
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == 10);
    }
  }

  @EachDatabase
  void aNodeIsThereUntilItIsClosed(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly().lease(Nodes.shortLease("publisher")));
      publisher.start();
      nodes.delivering(b -> b.lease(Nodes.shortLease("hot")));
      JdbcOutbox node = nodes.started(b -> b.lease(Nodes.shortLease("one")));
      Eventually.await("there", () -> rows(nodes, "node = 'one'") == 1);
      assertThat(rows(nodes, "1 = 1")).as("only those that poll").isEqualTo(1);
      node.close();
      assertThat(rows(nodes, "1 = 1")).isZero();
    }
  }
}
