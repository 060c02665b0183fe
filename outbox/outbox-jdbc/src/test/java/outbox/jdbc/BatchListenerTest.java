package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.CloseReport;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import outbox.BatchEventListener;
import outbox.EventEnvelope;
import outbox.model.EventStatus;

/** Listeners that take several events in one call. */
@Timeout(120)
class BatchListenerTest {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch published = new CountDownLatch(1);
  private final Queue<Integer> sizes = new ConcurrentLinkedQueue<>();
  private final Set<String> failedBefore = ConcurrentHashMap.newKeySet();

  private List<String> publish(JdbcOutbox node, int count) throws Exception {
    List<String> ids = new ArrayList<>();
    ids.add(Nodes.publish(node, Nodes.event("T")));
    entered.await();
    for (int i = 1; i < count; i++) {
      ids.add(Nodes.publish(node, Nodes.event("T")));
    }
    published.countDown();
    return ids;
  }

  /** The first call waits until all are published. */
  private void begin(List<EventEnvelope> events) throws InterruptedException {
    entered.countDown();
    published.await();
    sizes.add(events.size());
  }

  @EachDatabase
  void takesWhatWaitsAndEachEventHasAnOutcomeOfItsOwn(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      BatchEventListener listener =
          events -> {
            begin(events);
            Map<String, Exception> failures = new HashMap<>();
            for (EventEnvelope event : events) {
              nodes.delivered.add(event.eventId());
              if (nodes.delivered.size() % 3 == 0 && failedBefore.add(event.eventId())) {
                failures.put(event.eventId(), new IllegalStateException("not this one"));
              }
            }
            return failures;
          };
      JdbcOutbox node = nodes.started(b -> b.workers(1).batchListener("T", listener));
      List<String> ids = publish(node, 60);
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 60);
      assertThat(sizes).as("in the order of the calls").startsWith(1, 59);
      assertThat(failedBefore).hasSizeGreaterThanOrEqualTo(20);
      assertThat(nodes.delivered).hasSize(60 + failedBefore.size()).containsAll(ids);
      assertThat(nodes.table.countWhere("attempts = 1")).isEqualTo(failedBefore.size());
      assertThat(nodes.table.countWhere("attempts = 0")).isEqualTo(60 - failedBefore.size());
    }
  }

  @EachDatabase
  void takesNoMoreThanItAsksFor(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      BatchEventListener listener =
          new BatchEventListener() {
            @Override
            public Map<String, Exception> onEvents(List<EventEnvelope> events)
                throws InterruptedException {
              begin(events);
              return Map.of();
            }

            @Override
            public int maxBatchSize() {
              return 7;
            }
          };
      JdbcOutbox node = nodes.started(b -> b.workers(1).batchListener("T", listener));
      publish(node, 22);
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 22);
      assertThat(sizes).containsExactly(1, 7, 7, 7);
    }
  }

  @EachDatabase
  void whatItThrowsIsTheFailureOfAll(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      BatchEventListener listener =
          events -> {
            begin(events);
            if (failedBefore.add("all") || events.size() > 1 && failedBefore.add("many")) {
              throw new IllegalStateException("all of them");
            }
            return Map.of();
          };
      JdbcOutbox node = nodes.started(b -> b.workers(1).batchListener("T", listener));
      publish(node, 5);
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 5);
      assertThat(nodes.table.countWhere("attempts = 1")).isEqualTo(5);
    }
  }

  @EachDatabase
  void aFailureOfAnotherEventIsRefused(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      BatchEventListener listener =
          events -> {
            begin(events);
            return events.size() > 1 && failedBefore.add("many")
                ? Map.of("nobody", new IllegalStateException("whose?"))
                : Map.of();
          };
      JdbcOutbox node = nodes.started(b -> b.workers(1).batchListener("T", listener));
      publish(node, 3);
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 3);
      assertThat(nodes.table.countWhere("attempts = 1 AND last_error LIKE '%none of its events%'"))
          .isEqualTo(2);
    }
  }

  @EachDatabase(DatabaseKind.H2)
  void soItIsOfASingleEventAndWhateverElseIsNoFailure(TestDatabase database) throws Exception {
    Map<String, Exception> ofNobody = Map.of("order-1", new Exception("service refused"));
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.maxAttempts(1)
                      .batchListener("Other", events -> ofNobody)
                      .batchListener("Nothing", events -> null)
                      .batchListener(
                          "Null",
                          events -> Collections.singletonMap(events.get(0).eventId(), null)));
      for (String type : List.of("Other", "Nothing", "Null")) {
        Nodes.publish(node, Nodes.event(type));
      }
      Eventually.await("dead", () -> nodes.table.countOf(EventStatus.DEAD) == 3);
      for (String error : List.of("for ''order-1''", "returned null; return", "leave out what")) {
        assertThat(nodes.table.countWhere("last_error LIKE '%" + error + "%'"))
            .as(error)
            .isEqualTo(1);
      }
    }
  }

  @EachDatabase
  void orderHoldsForEachAggregate(TestDatabase database) throws Exception {
    Queue<String> order = new ConcurrentLinkedQueue<>();
    try (Nodes nodes = Nodes.on(database)) {
      BatchEventListener listener =
          events -> {
            Map<String, Exception> failures = new HashMap<>();
            for (EventEnvelope event : events) {
              String what = event.aggregateId() + event.payloadJson();
              if (what.endsWith("2") && failedBefore.add(what)) {
                failures.put(event.eventId(), new IllegalStateException("not yet"));
              } else {
                order.add(what);
              }
            }
            return failures;
          };
      JdbcOutbox node = nodes.started(b -> b.workers(2).batchListener("T", listener));
      for (int number = 0; number < 5; number++) {
        for (String aggregate : List.of("a", "b", "c")) {
          Nodes.publish(node, ordered(aggregate, number));
        }
      }
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 15);
      for (String aggregate : List.of("a", "b", "c")) {
        assertThat(order.stream().filter(what -> what.startsWith(aggregate)))
            .containsExactly(
                aggregate + 0, aggregate + 1, aggregate + 2, aggregate + 3, aggregate + 4);
      }
    }
  }

  private static EventEnvelope ordered(String aggregate, int number) {
    return Publishing.ordered("T", aggregate).payloadJson(Integer.toString(number)).build();
  }

  /** Its first call has one event, the second has all others and does not return by itself. */
  private final class Holding implements BatchEventListener {
    final CountDownLatch held = new CountDownLatch(1);
    final CountDownLatch end = new CountDownLatch(1);

    @Override
    public Map<String, Exception> onEvents(List<EventEnvelope> events) throws Exception {
      begin(events);
      if (sizes.size() == 2) {
        held.countDown();
        end.await();
      }
      return Map.of();
    }
  }

  @EachDatabase
  void allEventsOfABatchThatExceedsItsTimeHaveFailed(TestDatabase database) throws Exception {
    Holding listener = new Holding();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.workers(1).listenerTimeout(Duration.ofSeconds(4)).batchListener("T", listener));
      List<String> ids = publish(node, 5);
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 5);
      assertThat(sizes).startsWith(1, 4);
      for (String id : ids.subList(1, 5)) {
        assertThat(nodes.table.number(id, "attempts").intValue()).isPositive();
        assertThat(nodes.table.text(id, "last_error")).contains("listener ran longer than PT4S");
      }
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL) // it waits, and not for the database
  void theLeasesOfABatchAreKept(TestDatabase database) throws Exception {
    Holding listener = new Holding();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b -> b.workers(1).lease(Nodes.shortLease("one")).batchListener("T", listener));
      List<String> ids = publish(node, 4);
      listener.held.await();
      nodes.started(b -> b.lease(Nodes.shortLease("other")).listener("T", nodes.recording()));
      for (String id : ids.subList(1, 4)) {
        LocalDateTime lease = nodes.table.moment(id, "available_at");
        Duration twice = Nodes.SHORT_LEASE.multipliedBy(2);
        Eventually.await(
            "outlived twice",
            () -> nodes.table.moment(id, "available_at").isAfter(lease.plus(twice)));
      }
      listener.end.countDown();
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 4);
      assertThat(nodes.delivered).as("by the other").isEmpty();
    }
  }

  @EachDatabase
  void closingWaitsForABatch(TestDatabase database) throws Exception {
    Holding listener = new Holding();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.started(b -> b.workers(1).batchListener("T", listener));
      publish(node, 5);
      listener.held.await();
      CompletableFuture<CloseReport> closed =
          CompletableFuture.supplyAsync(() -> node.close(Duration.ofSeconds(60)));
      Eventually.await("closing", () -> !node.dispatcher().isRunning());
      listener.end.countDown();
      assertThat(closed.get()).isEqualTo(CloseReport.CLEAN);
      assertThat(nodes.table.countOf(EventStatus.DONE)).isEqualTo(5);
    }
  }

  @EachDatabase
  void aBatchThatStillRunsAtTheDeadlineIsInterruptedAndReleased(TestDatabase database)
      throws Exception {
    Holding listener = new Holding();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.started(b -> b.workers(1).batchListener("T", listener));
      publish(node, 5);
      listener.held.await();
      node.close(Duration.ofMillis(200));
      Eventually.await(
          "released", () -> nodes.table.countWhere("status = 0 AND claimed_by IS NULL") == 4);
      assertThat(nodes.table.countWhere("attempts > 0")).isZero();
    }
  }
}
