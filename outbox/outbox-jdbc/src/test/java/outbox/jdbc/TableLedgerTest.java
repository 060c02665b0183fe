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
    try (JdbcOutbox outbox = settings().publishOnly().build()) {
      assertThat(outbox.ledger().toLine())
          .isEqualTo("outbox accepted=0 delivered=0 held=0 lost=0 unaccounted=0");
      List<String> ids = Publishing.publish(outbox, "A", 10);
      int[] statuses = {0, 1, 1, 1, 1, 2, 2, 3, 3, 3};
      for (int i = 0; i < statuses.length; i++) {
        table.update(
            "UPDATE outbox_event SET status = ?, done_at = created_at WHERE event_id = ?",
            statuses[i],
            ids.get(i));
      }
      String before =
          "outbox accepted=10 delivered=4 held=6(new=1 retry=2 dead=3) lost=0 unaccounted=0";
      assertThat(outbox.ledger().toLine()).isEqualTo(before);
      outbox.purge(Duration.ZERO);
      assertThat(table.count(EventStatus.DONE)).isZero();
      assertThat(outbox.ledger().toLine()).as("nothing is forgotten").isEqualTo(before);
      outbox.purgeDead(Duration.ZERO);
      assertThat(outbox.ledger().toLine())
          .isEqualTo(
              "outbox accepted=10 delivered=4 held=3(new=1 retry=2) lost=3(purged_dead=3)"
                  + " unaccounted=0");
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
