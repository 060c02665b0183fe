package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.lifecycle.CloseReport;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import org.junit.jupiter.api.Timeout;
import outbox.EventListener;
import outbox.dispatch.LeaseSettings;
import outbox.model.EventStatus;

/** A node that closes leaves nothing behind that has to wait for its lease. */
@Timeout(120)
class ClosingTest {
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);

  /** A lease that no test outlives. */
  private static LeaseSettings longLease() {
    return new LeaseSettings(
        "closing",
        Duration.ofHours(1),
        Duration.ofMinutes(1),
        Duration.ofSeconds(1),
        Duration.ofMinutes(30));
  }

  private JdbcOutbox closing(Nodes nodes, EventListener listener) {
    return nodes.started(b -> b.lease(longLease()).workers(1).listener("T", listener));
  }

  private EventListener blocking() {
    return event -> {
      running.countDown();
      release.await();
    };
  }

  private void awaitRelease() {
    boolean interrupted = false;
    while (release.getCount() > 0) {
      try {
        release.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void assertDeliveredByAnother(Nodes nodes, List<String> ids) throws Exception {
    nodes.started(b -> b.listener("T", nodes.recording()));
    for (String id : ids) {
      Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
    }
    assertThat(nodes.delivered).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(nodes.table.countWhere("attempts <> 0")).isZero();
  }

  @EachDatabase
  void whatDoesNotRunIsReleasedAtOnceAndWhatRunsIsInterrupted(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = closing(nodes, blocking());
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        ids.add(Nodes.publish(node, Nodes.event("T")));
      }
      running.await();
      CloseReport report = node.close(Duration.ofSeconds(2));
      assertThat(report.released()).as("19 that wait, one that was interrupted").isEqualTo(20);
      assertThat(report.stillRunning()).isZero();
      assertThat(report.isClean()).isFalse();
      Eventually.await("released", () -> nodes.table.countWhere("claimed_by IS NULL") == 20);
      assertDeliveredByAnother(nodes, ids);
    }
  }

  @EachDatabase
  void whoClosesItMeanwhileWaitsForTheFirstAndGetsTheSameReport(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = closing(nodes, blocking());
      Nodes.publish(node, Nodes.event("T"));
      running.await();
      assertThat(Together.callBoth(() -> node.close(Duration.ofSeconds(60)), release::countDown))
          .containsOnly(CloseReport.CLEAN);
    }
  }

  @EachDatabase(DatabaseKind.H2)
  void whoClosesItMeanwhileWaitsUntilThePurgeHasStoppedAndTheLedgerIsWritten(TestDatabase database)
      throws Exception {
    CountDownLatch purging = new CountDownLatch(1);
    try (CapturedLog log = new CapturedLog("outbox");
        Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.made(b -> b.publishOnly().retention(Duration.ZERO));
      nodes.pool.failOn(
          call -> {
            if (Thread.currentThread().getName().startsWith("outbox-retention")) {
              purging.countDown();
              awaitRelease();
            }
            return false;
          });
      node.start();
      purging.await();
      assertThat(Together.callBoth(() -> node.close(Duration.ofSeconds(60)), release::countDown))
          .containsOnly(CloseReport.CLEAN);
      assertThat(log.messages(Level.INFO))
          .filteredOn(line -> line.startsWith("outbox closed, ledger"))
          .hasSize(1);
    }
  }

  @EachDatabase
  void aListenerThatIgnoresTheInterruptIsMarkedWhenItReturns(TestDatabase database)
      throws Exception {
    AtomicBoolean interrupted = new AtomicBoolean();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          closing(
              nodes,
              event -> {
                running.countDown();
                while (release.getCount() > 0) {
                  try {
                    release.await();
                  } catch (InterruptedException e) {
                    interrupted.set(true);
                  }
                }
              });
      String id = Nodes.publish(node, Nodes.event("T"));
      running.await();
      assertThat(node.close(Duration.ofMillis(100)).stillRunning()).isEqualTo(1);
      Eventually.await("interrupted", interrupted::get);
      assertThat(nodes.table.row(id).get("claimed_by")).isEqualTo("closing");
      release.countDown();
      Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
    }
  }

  @EachDatabase
  void listenersHaveTimeToFinishThoughAPollHangs(TestDatabase database) throws Exception {
    CountDownLatch hanging = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    try (Nodes nodes = Nodes.on(database)) {
      EventListener waiting =
          event -> {
            running.countDown();
            try {
              release.await();
            } catch (InterruptedException e) {
              interrupted.set(true);
            }
          };
      JdbcOutbox node = nodes.started(b -> b.lease(longLease()).workers(2).listener("T", waiting));
      String id = Nodes.publish(node, Nodes.event("T"));
      running.await();
      nodes.pool.failOn(
          call -> Thread.currentThread().getName().startsWith("outbox-poller") && hangs(hanging));
      Eventually.await("the poll hangs", () -> hanging.getCount() == 0);
      CompletableFuture<CloseReport> closed =
          CompletableFuture.supplyAsync(() -> node.close(Duration.ofSeconds(12)));
      Eventually.await("gave the poll up", () -> !node.dispatcher().isRunning());
      release.countDown();
      assertThat(closed.get()).isEqualTo(CloseReport.CLEAN);
      assertThat(interrupted).isFalse();
      assertThat(nodes.table.status(id)).isEqualTo(EventStatus.DONE);
      nodes.pool.heal();
    }
  }

  /** Until its thread is interrupted. */
  private static boolean hangs(CountDownLatch hanging) {
    hanging.countDown();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  @EachDatabase
  void aCommitAfterTheCloseReleasesTheRow(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = closing(nodes, nodes.recording());
      String id;
      try (JdbcTransactionManager.Transaction tx = node.begin()) {
        id = node.publish(Nodes.event("T"));
        node.close(Duration.ofSeconds(5));
        tx.commit();
      }
      assertThat(nodes.table.row(id).get("claimed_by")).isNull();
      assertDeliveredByAnother(nodes, List.of(id));
    }
  }

  @EachDatabase
  void aClosedNodeStillPublishesForOthers(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = closing(nodes, nodes.recording());
      node.close();
      String id = Nodes.publish(node, Nodes.event("T"));
      assertThat(nodes.table.row(id).get("claimed_by")).isNull();
      assertDeliveredByAnother(nodes, List.of(id));
    }
  }

  @EachDatabase
  void aQuietNodeClosesCleanlyAndItsPoolIsWhole(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = closing(nodes, nodes.recording());
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        ids.add(Nodes.publish(node, Nodes.event("T")));
      }
      assertThat(node.close(Duration.ofSeconds(20)).isClean()).isTrue();
      assertThat(nodes.table.countOf(EventStatus.DONE)).isEqualTo(100);
      assertThat(nodes.delivered).containsExactlyInAnyOrderElementsOf(ids);
      assertThat(nodes.pool.out()).isZero();
    }
  }
}
