package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
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
  private static final int LARGE = 100_000;

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

  private static EventEnvelope large(int number) {
    return EventEnvelope.ofJson("T", "\"" + number + "x".repeat(LARGE) + "\"");
  }

  @EachDatabase
  void ofATransactionNoMoreIsKeptInMemoryThanMayBeInFlight(TestDatabase database) throws Exception {
    Gate gate = new Gate();
    try (CapturedLog log = new CapturedLog("outbox");
        Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.delivering(
              b -> b.workers(1).maxInFlightBytes(2 * LARGE + LARGE / 2).listener("T", gate));
      for (int round = 0; round < 3; round++) {
        try (JdbcTransactionManager.Transaction tx = node.begin()) {
          for (int i = 0; i < 4; i++) {
            node.publish(large(i)); // rolled back, so that it does not count afterwards
          }
        }
      }
      List<WeakReference<EventEnvelope>> envelopes = new ArrayList<>();
      try (JdbcTransactionManager.Transaction tx = node.begin()) {
        for (int i = 0; i < 10; i++) {
          EventEnvelope event = large(i);
          node.publish(event);
          envelopes.add(new WeakReference<>(event));
        }
        Eventually.await("collected", () -> collected(envelopes) == 8);
        tx.commit();
      }
      gate.awaitEntered();
      assertThat(nodes.table.countWhere("claimed_by IS NOT NULL")).isEqualTo(2);
      gate.open();
      nodes.started(b -> b.listener("T", nodes.recording()));
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == 10);
      assertThat(log.messages(Level.WARNING)).as("that is usual").isEmpty();
    }
  }

  @EachDatabase(DatabaseKind.H2)
  void aNodeThatOnlyPublishesKeepsNothingInMemory(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.made(b -> b.publishOnly());
      List<WeakReference<EventEnvelope>> envelopes = new ArrayList<>();
      try (JdbcTransactionManager.Transaction tx = node.begin()) {
        for (int i = 0; i < 10; i++) {
          EventEnvelope event = large(i);
          node.publish(event);
          envelopes.add(new WeakReference<>(event));
        }
        Eventually.await("collected", () -> collected(envelopes) == 10);
        tx.commit();
      }
      assertThat(nodes.table.countOf(EventStatus.NEW)).isEqualTo(10);
    }
  }

  private static long collected(List<WeakReference<EventEnvelope>> envelopes) {
    System.gc();
    return envelopes.stream().filter(envelope -> envelope.get() == null).count();
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
