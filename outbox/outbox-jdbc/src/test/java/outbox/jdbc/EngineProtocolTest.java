package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.RetryAfterException;
import outbox.dispatch.LeaseSettings;
import outbox.dispatch.OutboxDispatcher;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.MetricsExporter;

/** What a node says to the database on the way of an event, and what it does about the answer. */
@Timeout(60)
class EngineProtocolTest {
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  private EventListener blocking(Nodes nodes) {
    return event -> {
      running.countDown();
      release.await();
      nodes.delivered.add(event.eventId());
    };
  }

  /** A lease that no test outlives. */
  private static LeaseSettings longLease(String node) {
    return new LeaseSettings(
        node,
        Duration.ofHours(1),
        Duration.ofMinutes(10),
        Duration.ofSeconds(1),
        Duration.ofMinutes(30));
  }

  /** Remembers the statements that contain some words; none fails. */
  private static Queue<String> watched(Nodes nodes, String words) {
    Queue<String> seen = new ConcurrentLinkedQueue<>();
    nodes.pool.failOn(call -> call.contains(words) && !seen.add(call));
    return seen;
  }

  @EachDatabase
  void whatAFullHotQueueRefusesIsReleasedAtOnceAndNotWhenItsLeaseEnds(TestDatabase database)
      throws Exception {
    Counts counts = new Counts();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.delivering(
              b ->
                  b.lease(longLease("full"))
                      .workers(1)
                      .hotQueueCapacity(1)
                      .metrics(counts)
                      .listener("T", blocking(nodes)));
      Nodes.publish(node, Nodes.event("T"));
      running.await();
      Nodes.publish(node, Nodes.event("T"));
      List<String> refused = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        refused.add(Nodes.publish(node, Nodes.event("T")));
      }
      assertThat(counts.hotDropped).hasValue(10);
      Eventually.await("released", () -> nodes.table.countWhere("claimed_by IS NULL") == 10);
      nodes.started(b -> b.listener("T", nodes.recording()));
      for (String id : refused) {
        Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
        assertThat(nodes.table.number(id, "attempts").intValue()).isZero();
        assertThat(nodes.table.number(id, "lapses").intValue()).isZero();
      }
      release.countDown();
    }
  }

  @EachDatabase
  void aFreshLeaseNeedsNoQuestionExceptWhereTheClockStandsStill(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.delivering(b -> b.lease(longLease("asking")).listener("T", nodes.recording()));
      Queue<String> questions = watched(nodes, "lapses = lapses +");
      String id = Nodes.publish(node, Nodes.event("T"));
      Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
      assertThat(questions).hasSize(database.kind() == DatabaseKind.H2 ? 1 : 0);
    }
  }

  @EachDatabase
  void whatAnotherNodeTookWhileItWaitedIsNotRun(TestDatabase database) throws Exception {
    // So short a lease that it is asked for again before the second event starts.
    LeaseSettings brief =
        new LeaseSettings(
            "slow",
            Duration.ofMillis(1_100),
            Duration.ofMillis(500),
            Duration.ofMillis(50),
            Duration.ofMinutes(1));
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.delivering(b -> b.lease(brief).workers(1).listener("T", blocking(nodes)));
      String first = Nodes.publish(node, Nodes.event("T"));
      running.await();
      String taken = Nodes.publish(node, Nodes.event("T"));
      nodes.table.update(
          "UPDATE outbox_event SET claimed_by = 'other', claim_token = claim_token + 1"
              + " WHERE event_id = ?",
          taken);
      Eventually.await("let go of", () -> node.dispatcher().inFlight() == 1);
      release.countDown();
      Eventually.await("done", () -> nodes.table.status(first) == EventStatus.DONE);
      node.close();
      assertThat(nodes.delivered).containsExactly(first);
      assertThat(nodes.table.row(taken).get("claimed_by")).isEqualTo("other");
    }
  }

  @EachDatabase(DatabaseKind.H2)
  void aStartCheckThatFindsNothingOrFailsDropsTheEventUnrun(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.delivering(
              b -> b.lease(longLease("asking")).workers(1).listener("T", blocking(nodes)));
      String first = Nodes.publish(node, Nodes.event("T"));
      running.await();
      String taken = Nodes.publish(node, Nodes.event("T"));
      nodes.table.update(
          "UPDATE outbox_event SET claim_token = claim_token + 1 WHERE event_id = ?", taken);
      release.countDown();
      Eventually.await("first", () -> nodes.table.status(first) == EventStatus.DONE);
      Eventually.await("dropped", () -> node.dispatcher().inFlight() == 0);
      nodes.pool.failOn(call -> call.contains("lapses = lapses +"));
      Nodes.publish(node, Nodes.event("T"));
      Eventually.await("dropped", () -> node.dispatcher().inFlight() == 0);
      nodes.pool.heal();
      assertThat(nodes.delivered).containsExactly(first);
    }
  }

  @EachDatabase
  void doneMarksOfABurstAreWrittenTogetherAndASingleOneAlone(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.delivering(b -> b.workers(2).listener("T", blocking(nodes)));
      Queue<String> marks = watched(nodes, "SET status = 1");
      try (JdbcTransactionManager.Transaction tx = node.begin()) {
        List<EventEnvelope> events = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
          events.add(Nodes.event("T"));
        }
        node.publishAll(events);
        tx.commit();
      }
      release.countDown();
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == 500);
      assertThat(marks.size()).as("statements for 500 marks").isBetween(1, 200);
      marks.clear();
      String id = Nodes.publish(node, Nodes.event("T"));
      Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
      assertThat(marks).hasSize(1);
    }
  }

  @EachDatabase
  void aHotEventWhoseTurnHasNotComeIsReleasedAndLeavesTheWorkerFree(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.workers(1)
                      .listener("Free", nodes.recording())
                      .listener(
                          "T",
                          event -> {
                            nodes.delivered.add(event.eventId());
                            throw new RetryAfterException(Duration.ofHours(1));
                          }));
      String head = Publishing.publish(node, Publishing.ordered("T", "7").build());
      Eventually.await("failed", () -> nodes.table.status(head) == EventStatus.RETRY);
      String second = Publishing.publish(node, Publishing.ordered("T", "7").build());
      String free = Publishing.publish(node, Nodes.event("Free"));
      Eventually.await("free", () -> nodes.table.status(free) == EventStatus.DONE);
      Eventually.await("released", () -> nodes.table.row(second).get("claimed_by") == null);
      assertThat(nodes.table.number(second, "attempts").intValue()).isZero();
      assertThat(nodes.delivered).containsExactly(head, free);
    }
  }

  @EachDatabase
  void anOrderedPublishWaitsForTheCommitOfTheOneBeforeIt(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.made(b -> b.publishOnly());
      String zero = Publishing.publish(node, Publishing.ordered("T", "7").build());
      // Threads of its own: the common pool of a small machine may have just one.
      ExecutorService others = Executors.newFixedThreadPool(2);
      Future<String> second;
      String first;
      try (JdbcTransactionManager.Transaction tx = node.begin()) {
        first = node.publish(Publishing.ordered("T", "7").build());
        second =
            others.submit(() -> Publishing.publish(node, Publishing.ordered("T", "7").build()));
        String other =
            others
                .submit(() -> Publishing.publish(node, Publishing.ordered("T", "8").build()))
                .get(30, TimeUnit.SECONDS);
        assertThat(nodes.table.row(other)).as("another aggregate waits for nobody").isNotEmpty();
        assertThat(second.isDone()).isFalse();
        tx.commit();
      } finally {
        others.shutdown();
      }
      String last = second.get(30, TimeUnit.SECONDS);
      List<Long> numbers = new ArrayList<>();
      for (String id : List.of(zero, first, last)) {
        numbers.add(nodes.table.number(id, "order_number").longValue());
      }
      assertThat(numbers).isSorted().doesNotHaveDuplicates();
    }
  }

  @EachDatabase
  void wiredByHandThePollerClaimsToo(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      DataSourceConnectionProvider connections = new DataSourceConnectionProvider(nodes.pool);
      JdbcOutboxRepository store = new JdbcOutboxRepository();
      String id = Nodes.publish(nodes.made(b -> b.publishOnly()), Nodes.event("T"));
      try (OutboxDispatcher dispatcher =
              OutboxDispatcher.builder(
                      connections,
                      store,
                      new DefaultListenerRegistry().register("T", blocking(nodes)))
                  .build();
          OutboxPoller poller =
              new OutboxPoller(
                  connections, store, dispatcher, Duration.ZERO, 10, 5000, MetricsExporter.NOOP)) {
        poller.poll();
        running.await();
        assertThat(nodes.table.number(id, "claim_token").intValue()).isEqualTo(1);
        assertThat(nodes.table.row(id).get("claimed_by")).isNotNull();
        release.countDown();
        Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
      }
    }
  }
}
