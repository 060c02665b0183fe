package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.ledger.LedgerSnapshot;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import outbox.EventEnvelope;
import outbox.model.EventStatus;

/** The ledger of all nodes together. */
class TableLedgerTest {
  private Table table;
  private TestDatabase database;

  @BeforeEach
  void connect(TestDatabase database) throws SQLException {
    this.database = database;
    this.table = Table.fresh(database);
  }

  private JdbcOutboxBuilder settings() {
    return JdbcOutbox.builder(database.dataSource());
  }

  @EachDatabase
  void showEveryStatusAndWhatWasPurged() throws Exception {
    try (JdbcOutbox outbox = node()) {
      assertThat(outbox.ledger().toLine())
          .isEqualTo("outbox accepted=0 delivered=0 held=0 lost=0 unaccounted=0");
      Publishing.publish(outbox, "Good", 4);
      Publishing.publish(outbox, "Bad", 3);
      Publishing.publish(outbox, EventEnvelope.ofJson("Good", "{}"));
      assertThat(outbox.ledger().toLine())
          .isEqualTo("outbox accepted=8 delivered=0 held=8(new=8) lost=0 unaccounted=0");
      outbox.start();
      Eventually.await("settled", () -> isSettled(outbox.ledger()));
      String settled = "outbox accepted=8 delivered=5 held=3(dead=3) lost=0 unaccounted=0";
      assertThat(outbox.ledger().toLine()).isEqualTo(settled);
      outbox.purge(Duration.ZERO);
      assertThat(table.count(EventStatus.DONE)).isZero();
      assertThat(outbox.ledger().toLine()).as("nothing is forgotten").isEqualTo(settled);
      outbox.purgeDead(Duration.ZERO);
      assertThat(outbox.ledger().toLine())
          .isEqualTo("outbox accepted=8 delivered=5 held=0 lost=3(purged_dead=3) unaccounted=0");
    }
  }

  @EachDatabase
  void showsARowThatWasDeletedByHand() throws Exception {
    try (JdbcOutbox outbox = settings().publishOnly().build()) {
      List<String> ids = Publishing.publish(outbox, "A", 3);
      table.update("DELETE FROM outbox_event WHERE event_id = ?", ids.get(1));
      assertThat(outbox.ledger().toLine())
          .isEqualTo("outbox accepted=3 delivered=0 held=2(new=2) lost=0 unaccounted=1");
      table.execute("DELETE FROM outbox_event");
      assertThat(outbox.ledger().unaccounted()).isEqualTo(3);
    }
  }

  @EachDatabase
  void showsARowThatWasInsertedByHand() throws Exception {
    try (JdbcOutbox outbox = settings().publishOnly().build()) {
      Publishing.publish(outbox, "A", 2);
      table.execute(
          """
          INSERT INTO outbox_event (event_id, event_type, payload, status, attempts, available_at,
            created_at)
          SELECT 'by-hand', event_type, payload, status, attempts, available_at, created_at
            FROM outbox_event WHERE event_id = (SELECT MIN(event_id) FROM outbox_event)
          """);
      assertThat(outbox.ledger().toLine())
          .isEqualTo("outbox accepted=2 delivered=0 held=3(new=3) lost=0 unaccounted=-1");
    }
  }

  @EachDatabase
  void showsAStatusThatWasChangedByHand() throws Exception {
    try (JdbcOutbox outbox = settings().publishOnly().build()) {
      Publishing.publish(outbox, "A", 2);
      table.execute("UPDATE outbox_event SET status = 1, done_at = created_at");
      assertThat(outbox.ledger().toLine())
          .isEqualTo("outbox accepted=2 delivered=0 held=0 lost=0 unaccounted=2");
    }
  }

  @EachDatabase
  void showsAPurgeThatForgetsItsCount() throws Exception {
    try (JdbcOutbox outbox = node()) {
      outbox.start();
      Publishing.publish(outbox, "Bad", 2);
      Eventually.await("dead", () -> table.count(EventStatus.DEAD) == 2);
      outbox.purgeDead(Duration.ZERO);
      table.execute("UPDATE outbox_event_count SET lost = 0");
      assertThat(outbox.ledger().toLine())
          .isEqualTo("outbox accepted=2 delivered=0 held=0 lost=0 unaccounted=2");
    }
  }

  /** What a purge without a count does to the rows. */
  @EachDatabase
  void showsDeadEventsThatWereDeletedByHandAfterAPurge() throws Exception {
    try (JdbcOutbox outbox = node()) {
      outbox.start();
      Publishing.publish(outbox, "Bad", 1);
      Eventually.await("dead", () -> table.count(EventStatus.DEAD) == 1);
      outbox.purgeDead(Duration.ZERO);
      Publishing.publish(outbox, "Bad", 3);
      Eventually.await("dead", () -> table.count(EventStatus.DEAD) == 3);
      assertThat(outbox.ledger().isAccountedFor()).isTrue();
      table.execute("DELETE FROM outbox_event WHERE status = 3");
      assertThat(outbox.ledger().toLine())
          .isEqualTo("outbox accepted=4 delivered=0 held=0 lost=1(purged_dead=1) unaccounted=3");
    }
  }

  /** A delivered event needs its row no more: however the row goes, the event was delivered. */
  @EachDatabase
  void deliveredEventsStayDeliveredWhenTheirRowsGo() throws Exception {
    try (JdbcOutbox outbox = node()) {
      outbox.start();
      Publishing.publish(outbox, "Good", 3);
      Eventually.await("done", () -> table.count(EventStatus.DONE) == 3);
      table.execute("DELETE FROM outbox_event");
      assertThat(outbox.ledger().toLine())
          .isEqualTo("outbox accepted=3 delivered=3 held=0 lost=0 unaccounted=0");
    }
  }

  @EachDatabase
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  void openTransactionsThatPublishDoNotWaitForEachOther() throws Exception {
    try (JdbcOutbox outbox = settings().publishOnly().build();
        JdbcTransactionManager.Transaction first = outbox.begin()) {
      outbox.publish(EventEnvelope.ofJson("A", "{}"));
      Thread second = new Thread(() -> Publishing.publish(outbox, "A", 2));
      second.start();
      second.join();
      assertThat(outbox.ledger().accepted()).as("the second has committed").isEqualTo(2);
      outbox.publish(EventEnvelope.ofJson("A", "{}"));
      first.commit();
      assertThat(outbox.ledger().toLine())
          .isEqualTo("outbox accepted=4 delivered=0 held=4(new=4) lost=0 unaccounted=0");
    }
  }

  @EachDatabase
  void balanceAtEveryMomentUnderLoad() throws Exception {
    AtomicLong begun = new AtomicLong();
    AtomicLong committed = new AtomicLong();
    AtomicBoolean stop = new AtomicBoolean();
    ExecutorService threads = Executors.newCachedThreadPool();
    try (JdbcOutbox one = node();
        JdbcOutbox two = node()) {
      one.start();
      two.start();
      List<Future<Boolean>> running =
          List.of(
              threads.submit(repeated(stop, () -> publish(one, begun, committed))),
              threads.submit(repeated(stop, () -> publish(two, begun, committed))),
              threads.submit(repeated(stop, () -> one.purge(Duration.ZERO))),
              threads.submit(repeated(stop, () -> two.purgeDead(Duration.ofMillis(200)))),
              threads.submit(repeated(stop, () -> two.deadEvents().redeliverAll(DeadFilter.ALL))));
      watch(one, begun, committed, running);
      stop.set(true);
      for (Future<Boolean> thread : running) {
        assertThat(thread.get(60, TimeUnit.SECONDS)).isTrue();
      }
      Eventually.await("delivered or dead", () -> isSettled(one.ledger()));
      LedgerSnapshot atRest = one.ledger();
      assertThat(atRest.accepted()).isEqualTo(committed.get());
      assertThat(atRest.unaccounted()).isZero();
      assertThat(two.ledger()).isEqualTo(atRest);
    } finally {
      stop.set(true);
      threads.shutdownNow();
    }
  }

  private JdbcOutbox node() {
    return settings()
        .maxAttempts(1)
        .pollInterval(Duration.ofMillis(50))
        .listener("Good", event -> {})
        .listener(
            "Bad",
            event -> {
              throw new IllegalStateException("broken");
            })
        .build();
  }

  private static boolean isSettled(LedgerSnapshot ledger) {
    return ledger.heldByPlace().get("new") + ledger.heldByPlace().get("retry") == 0;
  }

  /** What came in and what went out only grow, and lie between what was begun and committed. */
  private static void watch(
      JdbcOutbox outbox, AtomicLong begun, AtomicLong committed, List<Future<Boolean>> running) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
    LedgerSnapshot last = outbox.ledger();
    while (System.nanoTime() - end < 0) {
      long atLeast = committed.get();
      LedgerSnapshot now = outbox.ledger();
      long atMost = begun.get();
      assertThat(now.accepted()).as(now.toLine()).isBetween(atLeast, atMost);
      assertThat(now.delivered()).as(now.toLine()).isGreaterThanOrEqualTo(last.delivered());
      assertThat(now.lost()).as(now.toLine()).isGreaterThanOrEqualTo(last.lost());
      assertThat(now.isAccountedFor()).as(now.toLine()).isTrue();
      assertThat(running).noneMatch(Future::isDone);
      last = now;
    }
    assertThat(last.delivered()).as("there was load").isPositive();
  }

  private static void publish(JdbcOutbox outbox, AtomicLong begun, AtomicLong committed) {
    begun.incrementAndGet();
    String type = begun.get() % 10 == 0 ? "Bad" : "Good";
    Publishing.publish(outbox, EventEnvelope.ofJson(type, "{}"));
    committed.incrementAndGet();
  }

  private static Callable<Boolean> repeated(AtomicBoolean stop, Runnable work) {
    return () -> {
      while (!stop.get()) {
        work.run();
      }
      return true;
    };
  }
}
