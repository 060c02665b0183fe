package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import outbox.EventListener;
import outbox.memory.Gate;
import outbox.model.EventStatus;

/** What one node does about another that died, hung, or took over from it. */
@Timeout(120)
class TakeoverTest {

  private static List<String> abandoned(Nodes nodes, int count) throws Exception {
    JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(Nodes.publish(publisher, Nodes.event("T")));
      nodes.abandon(ids.get(i), "died");
    }
    return ids;
  }

  @EachDatabase
  void whatADeadNodeHeldIsTakenOverByAllWorkers(TestDatabase database) throws Exception {
    Counts counts = new Counts();
    CountDownLatch group = new CountDownLatch(4);
    try (Nodes nodes = Nodes.on(database)) {
      List<String> ids = abandoned(nodes, 20);
      nodes.started(
          b ->
              b.metrics(counts)
                  .workers(4)
                  .listener(
                      "T",
                      event -> {
                        group.countDown();
                        group.await(); // until four run at the same time
                        nodes.delivered.add(event.eventId());
                      }));
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 20);
      assertThat(nodes.delivered).containsExactlyInAnyOrderElementsOf(ids);
      assertThat(counts.lapsed).hasValue(20);
      assertThat(nodes.table.countWhere("attempts <> 0")).isZero();
    }
  }

  /** Takes over events that died in groups; returns how many ran at the same time. */
  private static int takeOver(Nodes nodes, int events, int groupBefore, EventListener listener)
      throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    abandoned(nodes, events);
    nodes.table.update("UPDATE outbox_event SET lapses = 1, suspect_group = ?", groupBefore);
    nodes.started(
        b ->
            b.workers(4)
                .listener(
                    "T",
                    event -> {
                      most.accumulateAndGet(running.incrementAndGet(), Math::max);
                      listener.onEvent(event);
                      running.decrementAndGet();
                    }));
    Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == events);
    assertThat(nodes.table.countWhere("attempts <> 0")).as("failed attempts").isZero();
    return most.get();
  }

  @EachDatabase
  void whatBeganInAGroupBeforeIsInOneOfHalfTheSize(TestDatabase database) throws Exception {
    CountDownLatch group = new CountDownLatch(2);
    try (Nodes nodes = Nodes.on(database)) {
      int most =
          takeOver(
              nodes,
              10,
              4,
              event -> {
                group.countDown();
                group.await();
                int size = nodes.table.number(event.eventId(), "suspect_group").intValue();
                assertThat(size).as("1 if it is the last").isBetween(1, 2);
                assertThat(nodes.table.number(event.eventId(), "lapses").intValue())
                    .isEqualTo(size == 1 ? 2 : 1);
              });
      assertThat(most).isEqualTo(2);
    }
  }

  @EachDatabase
  void onlyTheStartOfOneThatIsAloneIsCounted(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      int most =
          takeOver(
              nodes,
              5,
              2,
              event -> {
                assertThat(nodes.table.number(event.eventId(), "suspect_group").intValue())
                    .isEqualTo(1);
                assertThat(nodes.table.number(event.eventId(), "lapses").intValue()).isEqualTo(2);
              });
      assertThat(most).isEqualTo(1);
    }
  }

  @EachDatabase
  void aStartThatAnOrderlyStopEndedDoesNotCount(TestDatabase database) throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    try (Nodes nodes = Nodes.on(database)) {
      String id = abandoned(nodes, 1).get(0);
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.listener(
                      "T",
                      event -> {
                        running.countDown();
                        new CountDownLatch(1).await();
                      }));
      running.await();
      assertThat(nodes.table.number(id, "lapses").intValue())
          .as("suspected, and started")
          .isEqualTo(2);
      node.close(Duration.ofMillis(200));
      Eventually.await("released", () -> nodes.table.row(id).get("claimed_by") == null);
      assertThat(nodes.table.number(id, "lapses").intValue()).isEqualTo(1);
    }
  }

  @EachDatabase
  void aSuspectThatHangsHoldsUpNobodyElse(TestDatabase database) throws Exception {
    CountDownLatch hang = new CountDownLatch(1);
    Queue<String> suspects = new ConcurrentLinkedQueue<>();
    try (Nodes nodes = Nodes.on(database)) {
      List<String> ids = abandoned(nodes, 3);
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.listener("Innocent", nodes.recording())
                      .listener(
                          "T",
                          event -> {
                            suspects.add(event.eventId());
                            hang.await();
                          }));
      Eventually.await("the suspects run", () -> suspects.size() == 3);
      for (int i = 0; i < 50; i++) {
        Nodes.publish(node, Nodes.event("Innocent"));
      }
      Eventually.await("others done", () -> nodes.table.countOf(EventStatus.DONE) == 50);
      hang.countDown();
      Eventually.await("all done", () -> nodes.table.countOf(EventStatus.DONE) == 53);
      assertThat(suspects).containsExactlyInAnyOrderElementsOf(ids);
    }
  }

  @EachDatabase
  void whatKillsEveryNodeIsDeadInTheEnd(TestDatabase database) throws Exception {
    Counts counts = new Counts();
    try (Nodes nodes = Nodes.on(database)) {
      String id = abandoned(nodes, 1).get(0);
      nodes.table.update("UPDATE outbox_event SET lapses = 4 WHERE event_id = ?", id);
      nodes.started(b -> b.maxLapses(3).metrics(counts).listener("T", nodes.recording()));
      Eventually.await("dead", () -> nodes.table.status(id) == EventStatus.DEAD);
      assertThat(nodes.delivered).isEmpty();
      Eventually.await("counted", () -> counts.dead.get() == 1);
    }
  }

  @EachDatabase
  void aMarkOfALostLeaseIsCountedAndIgnored(TestDatabase database) throws Exception {
    Counts counts = new Counts();
    Gate gate = new Gate();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.delivering(b -> b.metrics(counts).listener("T", gate));
      String id = Nodes.publish(node, Nodes.event("T"));
      gate.awaitEntered();
      nodes.table.update(
          "UPDATE outbox_event SET claimed_by = 'other', claim_token = claim_token + 1"
              + " WHERE event_id = ?",
          id);
      gate.open();
      Eventually.await("stale", () -> counts.stale.get() == 1);
      assertThat(nodes.table.status(id)).isEqualTo(EventStatus.NEW);
      assertThat(nodes.table.row(id).get("claimed_by")).isEqualTo("other");
      Eventually.await("let go", () -> node.dispatcher().inFlight() == 0);
    }
  }

  private static LocalDateTime availableAt(Nodes nodes, String id) throws Exception {
    return nodes.table.moment(id, "available_at");
  }

  @EachDatabase
  void renewalKeepsWhatRunsAndWhatWaitsFromBeingTaken(TestDatabase database) throws Exception {
    Counts counts = new Counts();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (Nodes nodes = Nodes.on(database)) {
      // Nodes that know of others release after a second what waits.
      nodes.table.execute("DROP TABLE outbox_event_node");
      JdbcOutbox slow =
          nodes.started(
              b ->
                  b.lease(Nodes.shortLease("slow"))
                      .workers(1)
                      .metrics(counts)
                      .listener(
                          "T",
                          event -> {
                            nodes.delivered.add("slow " + event.eventId());
                            running.countDown();
                            release.await();
                          }));
      String first = Nodes.publish(slow, Nodes.event("T"));
      running.await();
      String second = Nodes.publish(slow, Nodes.event("T"));
      LocalDateTime firstLease = availableAt(nodes, first);
      LocalDateTime secondLease = availableAt(nodes, second);
      nodes.started(
          b ->
              b.lease(Nodes.shortLease("other"))
                  .metrics(counts)
                  .listener("T", event -> nodes.delivered.add("other " + event.eventId())));
      Duration twice = Nodes.SHORT_LEASE.multipliedBy(2);
      Eventually.await(
          "both leases outlived twice",
          () ->
              availableAt(nodes, first).isAfter(firstLease.plus(twice))
                  && availableAt(nodes, second).isAfter(secondLease.plus(twice)));
      release.countDown();
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 2);
      assertThat(nodes.delivered).containsExactly("slow " + first, "slow " + second);
      assertThat(counts.lapsed).hasValue(0);
      assertThat(counts.stale).hasValue(0);
    }
  }

  @EachDatabase
  void whatWaitsTooLongInAQueueIsGivenToAnotherNode(TestDatabase database) throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox stuck =
          nodes.delivering(
              b ->
                  b.lease(
                          new outbox.dispatch.LeaseSettings(
                              "stuck",
                              Duration.ofMinutes(10),
                              Duration.ofMillis(200),
                              Duration.ofMillis(100),
                              Duration.ofMillis(300)))
                      .workers(1)
                      .listener(
                          "T",
                          event -> {
                            running.countDown();
                            release.await();
                          }));
      Nodes.publish(stuck, Nodes.event("T"));
      running.await();
      String waiting = Nodes.publish(stuck, Nodes.event("T"));
      nodes.started(b -> b.listener("T", nodes.recording()));
      Eventually.await("done", () -> nodes.table.status(waiting) == EventStatus.DONE);
      assertThat(nodes.delivered).containsExactly(waiting);
      release.countDown();
    }
  }
}
