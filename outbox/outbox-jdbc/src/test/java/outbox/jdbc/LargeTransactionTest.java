package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.memory.Gate;
import outbox.model.EventStatus;

/** Transactions with more events than the publishing node can take. */
@Timeout(120)
class LargeTransactionTest {

  private static List<String> publishAll(JdbcOutbox node, int count) {
    List<EventEnvelope> events = Stream.generate(() -> Nodes.event("T")).limit(count).toList();
    try (JdbcTransactionManager.Transaction tx = node.begin()) {
      List<String> ids = node.publishAll(events);
      tx.commit();
      return ids;
    }
  }

  @EachDatabase
  void whatTheNodeCannotTakeIsLeftToOthersWithoutALease(TestDatabase database) throws Exception {
    Counts counts = new Counts();
    Gate gate = new Gate();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher =
          nodes.delivering(
              b -> b.metrics(counts).workers(1).hotQueueCapacity(10).listener("T", gate));
      List<String> ids = publishAll(publisher, 100);
      gate.awaitEntered();
      assertThat(nodes.table.countWhere("claimed_by IS NOT NULL")).isEqualTo(10);

      nodes.started(b -> b.metrics(counts).listener("T", nodes.recording()));
      Eventually.await("the others", () -> nodes.table.countOf(EventStatus.DONE) == 90);
      gate.open();
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == 100);
      assertThat(nodes.delivered).containsExactlyInAnyOrderElementsOf(ids.subList(10, 100));
      assertThat(counts.lapsed).as("leases that ran out").hasValue(0);
    }
  }

  @EachDatabase
  void oneNodeDeliversEachOnceWithoutALeaseRunningOut(TestDatabase database) throws Exception {
    Counts counts = new Counts();
    try (CapturedLog log = new CapturedLog("outbox");
        Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.metrics(counts)
                      .hotQueueCapacity(50)
                      .coldQueueCapacity(50)
                      .listener("T", nodes.recording()));
      List<String> ids = publishAll(node, 2_000);
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == ids.size());
      assertThat(nodes.delivered).containsExactlyInAnyOrderElementsOf(ids);
      assertThat(counts.lapsed).as("leases that ran out").hasValue(0);
      assertThat(log.messages(Level.WARNING)).as("that is usual").isEmpty();
    }
  }
}
