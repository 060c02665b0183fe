package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.EventStatus;

/** A type, or all of them, paused and resumed for all nodes. */
@Timeout(120)
class PauseTest {

  private static JdbcOutbox listening(Nodes nodes) {
    return nodes.started(b -> b.listener("A", nodes.recording()).listener("B", nodes.recording()));
  }

  private static void awaitPaused(JdbcOutbox node, String... types) {
    Eventually.await("paused", () -> node.control().knownPaused().equals(Set.of(types)));
  }

  private static void awaitDone(Nodes nodes, String id) throws Exception {
    Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
  }

  @EachDatabase
  void aPausedTypeWaitsOnAllNodesUntilItIsResumed(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      JdbcOutbox one = listening(nodes);
      JdbcOutbox two = listening(nodes);
      publisher.control().pause("A");
      assertThat(publisher.control().paused()).containsOnlyKeys("A");
      awaitPaused(one, "A");
      awaitPaused(two, "A");
      List<String> waiting =
          List.of(
              Nodes.publish(publisher, Nodes.event("A")),
              Nodes.publish(one, Nodes.event("A")),
              Nodes.publish(two, Nodes.event("A")));
      Eventually.await("not leased", () -> nodes.table.countWhere("claimed_by IS NULL") == 3);
      awaitDone(nodes, Nodes.publish(publisher, Nodes.event("B"))); // claimed after the others
      awaitDone(nodes, Nodes.publish(one, Nodes.event("B")));
      assertThat(nodes.table.ids(EventStatus.NEW)).containsExactlyInAnyOrderElementsOf(waiting);
      Eventually.await("nothing overdue", () -> one.backlog().overdue().isEmpty());
      assertThat(publisher.backlog().overdue()).isEmpty();

      two.control().resume("A");
      assertThat(two.control().paused()).isEmpty();
      for (String id : waiting) {
        awaitDone(nodes, id);
      }
      assertThat(nodes.delivered).hasSize(5).doesNotHaveDuplicates();
    }
  }

  @EachDatabase
  void asThePageShowsIt(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox outbox = listening(nodes);
      // spotless:off
      // region pause
      outbox.control().pause("OrderPlaced");              // or pauseAll()
      outbox.control().paused();                          // {OrderPlaced=2026-11-16T22:00:00Z}
      outbox.control().resume("OrderPlaced");             // or resumeAll()
      // endregion
      // region waiting
      outbox.waiting().count("OrderPlaced");              // null for any type
      outbox.waiting().list("OrderPlaced", 100, null);    // attempts, failing since, next try, last error with its stack
      // endregion
      // spotless:on
      assertThat(outbox.control().paused()).isEmpty();
      assertThat(outbox.waiting().list("OrderPlaced", 100, null)).isEmpty();
    }
  }

  @EachDatabase
  void everythingIsPausedAndResumedAtOnce(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = listening(nodes);
      node.control().pauseAll();
      node.control().pause("A");
      String a = Nodes.publish(node, Nodes.event("A"));
      String b = Nodes.publish(node, Nodes.event("B"));
      node.control().resume("A");
      assertThat(node.control().paused()).containsOnlyKeys("*");
      // A claim that was under way when the pause began may find them; it is given up then.
      Eventually.await("claimed by none", () -> nodes.table.countWhere("claimed_by IS NULL") == 2);
      assertThat(nodes.delivered).isEmpty();
      assertThat(node.backlog().overdue()).isEmpty();
      node.control().pause("A");
      node.control().resumeAll();
      awaitDone(nodes, a);
      awaitDone(nodes, b);
      assertThat(node.control().paused()).isEmpty();
    }
  }

  @EachDatabase
  void whatWaitsInTheQueueIsReleasedAndWhatRunsIsFinished(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      Semaphore end = new Semaphore(0);
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.workers(1)
                      .listener(
                          "A",
                          event -> {
                            nodes.delivered.add(event.eventId());
                            end.acquire();
                          }));
      String running = Nodes.publish(node, Nodes.event("A"));
      Eventually.await("running", () -> nodes.delivered.contains(running));
      for (int i = 0; i < 4; i++) {
        Nodes.publish(node, Nodes.event("A"));
      }
      assertThat(node.dispatcher().inFlight()).isEqualTo(5);
      node.control().pause("A");
      Eventually.await(
          "released", () -> nodes.table.countWhere("claimed_by IS NULL AND status = 0") == 4);
      Eventually.await("only one in flight", () -> node.dispatcher().inFlight() == 1);
      end.release(100);
      awaitDone(nodes, running);
      assertThat(nodes.delivered).containsExactly(running);
      node.control().resume("A");
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == 5);
    }
  }

  @EachDatabase
  void aPauseBetweenInsertAndCommitHoldsToo(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = listening(nodes);
      String id;
      try (JdbcTransactionManager.Transaction tx = node.begin()) {
        id = node.publish(Nodes.event("A"));
        node.control().pause("A");
        tx.commit();
      }
      Eventually.await("released", () -> nodes.table.text(id, "claimed_by") == null);
      awaitDone(nodes, Nodes.publish(node, Nodes.event("B")));
      assertThat(nodes.table.status(id)).isEqualTo(EventStatus.NEW);
      node.control().resumeAll();
      awaitDone(nodes, id);
    }
  }

  @EachDatabase
  void aPausedTypeDoesNotChangeTheOrderOfAnAggregate(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = listening(nodes);
      node.control().pause("A");
      List<String> ids;
      try (JdbcTransactionManager.Transaction tx = node.begin()) {
        ids = node.publishAll(List.of(ordered("A"), ordered("B"), ordered("A"), ordered("B")));
        tx.commit();
      }
      awaitDone(nodes, Nodes.publish(node, Nodes.event("B")));
      assertThat(nodes.table.countOf(EventStatus.DONE)).as("all behind the first").isEqualTo(1);
      nodes.delivered.clear();
      node.control().resume("A");
      for (String id : ids) {
        awaitDone(nodes, id);
      }
      assertThat(nodes.delivered).containsExactlyElementsOf(ids);
    }
  }

  private static EventEnvelope ordered(String type) {
    return EventEnvelope.builder(type)
        .aggregateType("Order")
        .aggregateId("1")
        .ordered()
        .payloadJson("{}")
        .build();
  }

  @EachDatabase(DatabaseKind.POSTGRESQL) // it waits, and not for the database
  void aNodeThatPollsSeldomHearsOfAPauseInTime(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      JdbcOutbox node =
          nodes.started(
              b -> b.pollInterval(Duration.ofMinutes(5)).listener("A", nodes.recording()));
      awaitDone(nodes, Nodes.publish(node, Nodes.event("A"))); // its first poll is over
      publisher.control().pause("A");
      awaitPaused(node, "A");
      String id = Nodes.publish(node, Nodes.event("A"));
      assertThat(nodes.table.text(id, "claimed_by")).isNull();
      publisher.control().resume("A");
      awaitDone(nodes, id);
    }
  }

  @EachDatabase
  void aNodeThatDoesNotPollHearsOfAPause(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      JdbcOutbox node =
          nodes.delivering(b -> b.lease(Nodes.shortLease("hot")).listener("A", nodes.recording()));
      awaitDone(nodes, Nodes.publish(node, Nodes.event("A")));
      publisher.control().pause("A");
      awaitPaused(node, "A");
      String id = Nodes.publish(node, Nodes.event("A"));
      assertThat(nodes.table.text(id, "claimed_by")).isNull();
    }
  }

  @EachDatabase
  void withoutItsTablesNothingIsPausedAndTheFixIsNamed(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      nodes.table.execute("DROP TABLE outbox_event_node");
      nodes.table.execute("DROP TABLE outbox_event_pause");
      JdbcOutbox node = listening(nodes);
      awaitDone(nodes, Nodes.publish(node, Nodes.event("A")));
      assertThat(node.control().paused()).isEmpty();
      assertThatThrownBy(() -> node.control().pause("A"))
          .isInstanceOf(OutboxException.class)
          .hasMessageContaining("outbox_event_pause")
          .hasMessageContaining("run OutboxSchema.upgrade");
      OutboxSchema.upgrade(database.dataSource());
      node.control().pause("A");
      assertThat(node.control().knownPaused()).containsOnly("A");
    }
  }
}
