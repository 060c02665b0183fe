package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.dispatch.UnhandledPolicy;
import outbox.model.EventStatus;

/** Several nodes deliver from one table, each event once as long as nothing fails. */
@Timeout(300)
class SharedTableTest {
  private static final int SHORT = 4_000;
  private static final int LONG = 100_000;
  private static final int PER_TRANSACTION = 10;

  /** Publishes on all nodes at once, two threads each, and returns the ids. */
  private static List<String> publishOnAll(List<JdbcOutbox> nodes, int events) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(nodes.size() * 2);
    try {
      List<Callable<List<String>>> tasks = new ArrayList<>();
      int perTask = events / (nodes.size() * 2);
      for (JdbcOutbox node : nodes) {
        tasks.add(() -> publish(node, perTask));
        tasks.add(() -> publish(node, perTask));
      }
      List<String> ids = new ArrayList<>();
      for (Future<List<String>> published : threads.invokeAll(tasks)) {
        ids.addAll(published.get());
      }
      return ids;
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<String> publish(JdbcOutbox node, int events) {
    List<String> ids = new ArrayList<>();
    while (ids.size() < events) {
      try (JdbcTransactionManager.Transaction tx = node.begin()) {
        for (int i = 0; i < PER_TRANSACTION; i++) {
          ids.add(node.publish(Nodes.event("T")));
        }
        tx.commit();
      }
    }
    return ids;
  }

  private static void assertEachDeliveredOnce(Nodes nodes, List<String> ids) throws Exception {
    Eventually.await(
        "all done",
        Duration.ofSeconds(200),
        () -> nodes.table.countOf(EventStatus.DONE) == ids.size());
    List<String> delivered = List.copyOf(nodes.delivered);
    assertThat(new HashSet<>(delivered)).isEqualTo(new HashSet<>(ids));
    assertThat(delivered).hasSameSizeAs(ids);
  }

  private static void run(
      TestDatabase database, int count, int events, UnaryOperator<JdbcOutboxBuilder> more)
      throws Exception {
    Counts counts = new Counts();
    try (Nodes nodes = Nodes.on(database)) {
      List<JdbcOutbox> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        all.add(nodes.started(b -> more.apply(b.listener("T", nodes.recording()).metrics(counts))));
      }
      List<String> ids = publishOnAll(all, events);
      assertEachDeliveredOnce(nodes, ids);
      assertThat(counts.stale).hasValue(0);
      assertThat(counts.lapsed).hasValue(0);
      assertThat(counts.failure).hasValue(0);
      System.out.printf(
          "%s, %d nodes: %d events once each, dropped from the hot queue %d, released %d%n",
          database.kind(), count, ids.size(), counts.hotDropped.get(), counts.released.get());
    }
  }

  @EachDatabase
  void twoNodesDeliverEachEventOnce(TestDatabase database) throws Exception {
    run(database, 2, SHORT, b -> b);
  }

  @Tag("long")
  @EachDatabase
  void threeNodesDeliverEachOfManyEventsOnce(TestDatabase database) throws Exception {
    run(database, 3, LONG, b -> b);
  }

  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void threeNodesWithTinyQueuesReleaseAndStillDeliverOnce(TestDatabase database) throws Exception {
    run(database, 3, SHORT, b -> b.hotQueueCapacity(2).coldQueueCapacity(50).workers(2));
  }

  @EachDatabase
  void aNodeThatOnlyPublishesLeavesItToTheOthersAtOnce(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      String id = Nodes.publish(publisher, Nodes.event("T"));
      assertThat(nodes.table.row(id).get("claimed_by")).isNull();
      nodes.started(b -> b.listener("T", nodes.recording()));
      Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
      assertThat(nodes.delivered).containsExactly(id);
    }
  }

  @EachDatabase
  void anUnknownTypeIsReleasedAndDeliveredByTheNodeThatKnowsIt(TestDatabase database)
      throws Exception {
    Counts counts = new Counts();
    UnhandledPolicy soon = new UnhandledPolicy(Duration.ofMillis(50), Duration.ofHours(1), false);
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox ignorant =
          nodes.started(b -> b.listener("Other", e -> {}).unhandled(soon).metrics(counts));
      String id = Nodes.publish(ignorant, Nodes.event("T"));
      Eventually.await("released twice", () -> counts.released.get() >= 2);
      assertThat(nodes.table.status(id)).isEqualTo(EventStatus.NEW);
      nodes.started(b -> b.listener("T", nodes.recording()));
      Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
      assertThat(nodes.delivered).containsExactly(id);
      assertThat(nodes.table.number(id, "attempts").intValue()).isZero();
    }
  }

  @EachDatabase
  void aTypeNobodyKnowsForTooLongIsDead(TestDatabase database) throws Exception {
    UnhandledPolicy impatient =
        new UnhandledPolicy(Duration.ofMillis(10), Duration.ofMillis(50), false);
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.started(b -> b.unhandled(impatient));
      String id = Nodes.publish(node, Nodes.event("T"));
      Eventually.await("dead", () -> nodes.table.status(id) == EventStatus.DEAD);
      assertThat(nodes.table.row(id).get("last_error").toString()).contains("no listener");
    }
  }

  @EachDatabase
  void theColdQueueIsNeverAskedToHoldMoreThanItCan(TestDatabase database) throws Exception {
    Counts counts = new Counts();
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      publishAll(publisher, "quick", 20); // what is quick lets it claim ahead
      nodes.started(
          b ->
              b.workers(1)
                  .coldQueueCapacity(5)
                  .batchSize(50)
                  .metrics(counts)
                  .listener("quick", event -> {})
                  .listener(
                      "T",
                      event -> {
                        calls.incrementAndGet();
                        release.await();
                      }));
      Eventually.await("quick", () -> nodes.table.countOf(EventStatus.DONE) == 20);
      publishAll(publisher, "T", 100);
      Eventually.await("queue filled", () -> counts.coldEnqueued.get() >= 25);
      assertThat(nodes.table.countWhere("claimed_by IS NOT NULL")).isLessThanOrEqualTo(6);
      release.countDown();
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 120);
      assertThat(calls).hasValue(100);
      assertThat(counts.released).hasValue(0);
      assertThat(counts.coldEnqueued).hasValue(120);
    }
  }

  private static void publishAll(JdbcOutbox publisher, String type, int count) {
    try (JdbcTransactionManager.Transaction tx = publisher.begin()) {
      List<EventEnvelope> events = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        events.add(Nodes.event(type));
      }
      publisher.publishAll(events);
      tx.commit();
    }
  }
}
