package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import outbox.model.EventStatus;

/** What building, starting and the role of a node begin, and what they leave alone. */
class StartTest {

  private static Set<Thread> outboxThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("outbox-"))
        .collect(Collectors.toSet());
  }

  @EachDatabase(DatabaseKind.H2)
  void buildingStartsNoThread(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      Set<Thread> before = outboxThreads();
      JdbcOutbox node =
          nodes.made(b -> b.listener("A", nodes.recording()).retention(Duration.ZERO));
      assertThat(outboxThreads()).isSubsetOf(before);
      assertThat(node.close(Duration.ofSeconds(1)).isClean()).isTrue();
      assertThatThrownBy(node::start).hasMessageContaining("is closed and cannot be started");
    }
  }

  @EachDatabase(DatabaseKind.H2)
  void theLogSaysThatItStartedOrThatStartWasForgotten(TestDatabase database) throws Exception {
    try (CapturedLog log = new CapturedLog("outbox");
        Nodes nodes = Nodes.on(database)) {
      Nodes.publish(nodes.made(b -> b.publishOnly()), Nodes.event("A"));
      assertThat(log.lines()).as("it only publishes").isEmpty();
      JdbcOutbox node = nodes.made(b -> b.workers(3).listener("A", nodes.recording()));
      Nodes.publish(node, Nodes.event("A"));
      Nodes.publish(node, Nodes.event("A"));
      assertThat(log.lines())
          .containsExactly(
              "WARNING outbox publishes but does not deliver here, because start() was not called"
                  + " or it is closed: events wait in the table for a node that is started");
      node.start();
      assertThat(log.lines()).contains("INFO outbox started workers=3");
    }
  }

  @EachDatabase(DatabaseKind.H2)
  void aClosedNodeThatOnlyPublishesCannotBeStartedAndDoesNotSayThatItWas(TestDatabase database)
      throws Exception {
    try (CapturedLog log = new CapturedLog("outbox");
        Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.made(b -> b.publishOnly().retention(Duration.ofDays(1)));
      node.close();
      assertThatThrownBy(node::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is closed and cannot be started");
      assertThat(log.lines()).isEmpty();
    }
  }

  @EachDatabase(DatabaseKind.H2)
  void aNodeThatOnlyPublishesHasNoThreadOfPollerOrDispatcher(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      Set<Thread> before = outboxThreads();
      nodes.started(b -> b.publishOnly().retention(Duration.ofDays(1)));
      assertThat(outboxThreads())
          .filteredOn(thread -> !before.contains(thread))
          .extracting(Thread::getName)
          .allMatch(name -> name.startsWith("outbox-retention"));
    }
  }

  @EachDatabase
  void anEventPublishedBeforeTheStartIsInsertedWithoutALeaseAndDeliveredAfterIt(
      TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.made(b -> b.listener("A", nodes.recording()));
      String early = Nodes.publish(node, Nodes.event("A"));
      assertThat(nodes.table.row(early)).containsEntry("claimed_by", null);
      assertThat(nodes.delivered).isEmpty();
      assertThat(node.dispatcher().hotDepth()).isZero();
      node.start();
      Eventually.await("delivered", () -> nodes.table.status(early) == EventStatus.DONE);
      assertThat(nodes.delivered).containsExactly(early);
    }
  }

  private static void assertPurges(TestDatabase database, UnaryOperator<JdbcOutboxBuilder> role)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox worker = nodes.started(b -> b.listener("A", nodes.recording()));
      String id = Nodes.publish(worker, Nodes.event("A"));
      Eventually.await("delivered", () -> nodes.table.status(id) == EventStatus.DONE);
      nodes.started(b -> role.apply(b).retention(Duration.ZERO));
      Eventually.await("purged", () -> nodes.table.countWhere("event_id = '" + id + "'") == 0);
      assertThat(worker.ledger().delivered()).isEqualTo(1);
    }
  }

  @EachDatabase(DatabaseKind.H2)
  void aNodeThatOnlyPublishesPurges(TestDatabase database) throws Exception {
    assertPurges(database, JdbcOutboxBuilder::publishOnly);
  }

  @EachDatabase(DatabaseKind.H2)
  void aNodeWithoutItsPollerPurges(TestDatabase database) throws Exception {
    assertPurges(database, b -> b.pollerEnabled(false));
  }

  @EachDatabase(DatabaseKind.H2)
  void aNodeWithoutItsPollerDeliversWhatItPublishesAndNothingElse(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.started(JdbcOutboxBuilder::publishOnly);
      String theirs = Nodes.publish(publisher, Nodes.event("A"));
      JdbcOutbox node = nodes.started(b -> b.pollerEnabled(false).listener("A", nodes.recording()));
      String own = Nodes.publish(node, Nodes.event("A"));
      Eventually.await("delivered", () -> nodes.table.status(own) == EventStatus.DONE);
      assertThat(nodes.table.status(theirs)).isEqualTo(EventStatus.NEW);
      assertThat(nodes.delivered).containsExactly(own);
    }
  }

  @EachDatabase(DatabaseKind.H2)
  void beginBesideTheTransactionsOfSomebodyElseIsRefused(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.made(b -> b.txContext(new ThreadLocalTxContext()));
      assertThatThrownBy(node::begin)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("begin()")
          .hasMessageContaining("txContext(...)")
          .hasMessageContaining("@Transactional");
    }
  }
}
