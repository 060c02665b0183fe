package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.CloseReport;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import outbox.AsyncEventListener;
import outbox.EventEnvelope;
import outbox.model.EventStatus;

/** Listeners whose workers do not wait for them. */
@Timeout(120)
class AsyncListenerTest {
  private final LinkedBlockingQueue<CompletableFuture<Void>> pending = new LinkedBlockingQueue<>();

  private final AsyncEventListener starting =
      event -> {
        CompletableFuture<Void> stage = new CompletableFuture<>();
        pending.add(stage);
        return stage;
      };

  private static void publish(JdbcOutbox node, int count) {
    publish(node, Collections.nCopies(count, "T"));
  }

  private static void publish(JdbcOutbox node, List<String> types) {
    try (JdbcTransactionManager.Transaction tx = node.begin()) {
      node.publishAll(types.stream().map(Nodes::event).toList());
      tx.commit();
    }
  }

  @EachDatabase
  void oneWorkerHasManyEventsPending(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.started(b -> b.workers(1).asyncListener("T", starting));
      publish(node, 50);
      Eventually.await("pending", () -> pending.size() == 50);
      assertThat(nodes.table.countOf(EventStatus.DONE)).isZero();
      pending.forEach(stage -> stage.complete(null));
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 50);
      Eventually.await("let go", () -> node.dispatcher().inFlight() == 0);
    }
  }

  @EachDatabase
  void noMoreArePendingThanAllowed(TestDatabase database) throws Exception {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      publish(publisher, 20);
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.concurrency("T", 3)
                      .asyncListener(
                          "T",
                          event -> {
                            most.accumulateAndGet(now.incrementAndGet(), Math::max);
                            return starting.onEventAsync(event);
                          }));
      publish(node, 20);
      for (int i = 0; i < 40; i++) {
        CompletableFuture<Void> stage = pending.take();
        now.decrementAndGet();
        stage.complete(null);
      }
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 40);
      assertThat(most.get()).isBetween(1, 3);
    }
  }

  @EachDatabase
  void whatTheStageFailsWithIsTheFailure(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.started(b -> b.asyncListener("T", starting));
      String id = Nodes.publish(node, Nodes.event("T"));
      CompletableFuture<Void> first = pending.take();
      first.completeExceptionally(new IllegalStateException("the broker said no"));
      pending.take().complete(null);
      Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
      assertThat(nodes.table.number(id, "attempts").intValue()).isEqualTo(1);
      assertThat(String.valueOf(nodes.table.row(id).get("last_error")))
          .startsWith("java.lang.IllegalStateException: the broker said no");
    }
  }

  @EachDatabase
  void aListenerWithoutAStageHasFailed(TestDatabase database) throws Exception {
    AtomicInteger calls = new AtomicInteger();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.asyncListener(
                      "T",
                      event ->
                          calls.incrementAndGet() == 1
                              ? null
                              : CompletableFuture.completedFuture(event)));
      String id = Nodes.publish(node, Nodes.event("T"));
      Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
      assertThat(String.valueOf(nodes.table.row(id).get("last_error")))
          .contains("an asynchronous listener or handler returned null");
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL) // it waits, and not for the database
  void theLeaseIsKeptWhileTheStageIsPending(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(b -> b.lease(Nodes.shortLease("one")).asyncListener("T", starting));
      nodes.started(b -> b.lease(Nodes.shortLease("other")).listener("T", nodes.recording()));
      String id = Nodes.publish(node, Nodes.event("T"));
      CompletableFuture<Void> stage = pending.take();
      LocalDateTime lease = nodes.table.moment(id, "available_at");
      Duration twice = Nodes.SHORT_LEASE.multipliedBy(2);
      Eventually.await(
          "outlived twice",
          () -> nodes.table.moment(id, "available_at").isAfter(lease.plus(twice)));
      stage.complete(null);
      Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
      assertThat(nodes.delivered).as("by the other").isEmpty();
    }
  }

  @EachDatabase
  void theNextEventOfTheAggregateWaitsForTheStage(TestDatabase database) throws Exception {
    Queue<String> order = new ConcurrentLinkedQueue<>();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.asyncListener(
                      "T",
                      event -> {
                        order.add(event.payloadJson());
                        return starting.onEventAsync(event);
                      }));
      Nodes.publish(node, ordered(1));
      CompletableFuture<Void> first = pending.take();
      Nodes.publish(node, ordered(2));
      Nodes.publish(node, ordered(3));
      publish(node, 1);
      CompletableFuture<Void> unordered = pending.take();
      assertThat(order).containsExactly("1", "{}");
      unordered.complete(null);
      Eventually.await("the unordered", () -> nodes.table.countOf(EventStatus.DONE) == 1);
      first.completeExceptionally(new IllegalStateException("not yet"));
      for (int done = 2; done <= 4; done++) {
        pending.take().complete(null);
        int expected = done;
        Eventually.await("next", () -> nodes.table.countOf(EventStatus.DONE) == expected);
      }
      assertThat(order).containsExactly("1", "{}", "1", "2", "3");
    }
  }

  private static EventEnvelope ordered(int number) {
    return EventEnvelope.builder("T")
        .aggregateType("Order")
        .aggregateId("a")
        .ordered()
        .payloadJson(String.valueOf(number))
        .build();
  }

  @EachDatabase
  void aStageThatExceedsItsTimeIsCancelledAndTheDeliveryHasFailed(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.listenerTimeout(Duration.ofMillis(50))
                      .asyncListener(
                          "T",
                          event ->
                              pending.isEmpty()
                                  ? starting.onEventAsync(event)
                                  : CompletableFuture.completedFuture(event)));
      String id = Nodes.publish(node, Nodes.event("T"));
      Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
      assertThat(String.valueOf(nodes.table.row(id).get("last_error")))
          .contains("listener ran longer than PT0.05S");
      assertThat(pending.take()).isCancelled();
    }
  }

  @EachDatabase
  void closingWaitsForStages(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.started(b -> b.workers(1).asyncListener("T", starting));
      publish(node, 5);
      Eventually.await("pending", () -> pending.size() == 5);
      CompletableFuture<CloseReport> closed =
          CompletableFuture.supplyAsync(() -> node.close(Duration.ofSeconds(60)));
      Eventually.await("closing", () -> !node.dispatcher().isRunning());
      pending.forEach(stage -> stage.complete(null));
      assertThat(closed.get()).isEqualTo(CloseReport.CLEAN);
      assertThat(nodes.table.countOf(EventStatus.DONE)).isEqualTo(5);
    }
  }

  @EachDatabase
  void whatIsStillPendingAtTheDeadlineIsCancelledAndReleased(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.started(b -> b.asyncListener("T", starting));
      String id = Nodes.publish(node, Nodes.event("T"));
      CompletableFuture<Void> stage = pending.take();
      node.close(Duration.ofMillis(200));
      assertThat(stage).isCancelled();
      Eventually.await("released", () -> nodes.table.row(id).get("claimed_by") == null);
      assertThat(nodes.table.number(id, "attempts").intValue()).isZero();
    }
  }
}
