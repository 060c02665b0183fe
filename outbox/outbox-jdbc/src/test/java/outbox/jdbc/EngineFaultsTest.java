package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.OutboxClient;
import outbox.dispatch.OutboxDispatcher;
import outbox.memory.Gate;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.EventStore;
import outbox.spi.MetricsExporter;

/** Mistakes that outboxes have made before, and this one must not. */
@Timeout(120)
class EngineFaultsTest {

  @EachDatabase
  void aFailedDoneMarkIsNotAFailureOfTheListener(TestDatabase database) throws Exception {
    Counts counts = new Counts();
    AtomicInteger failedMarks = new AtomicInteger();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.started(b -> b.listener("T", nodes.recording()).metrics(counts));
      nodes.pool.failOn(
          call -> call.contains("SET status = 1") && failedMarks.incrementAndGet() > 0);
      String id = Nodes.publish(node, Nodes.event("T"));
      Eventually.await("marks tried again", () -> failedMarks.get() >= 3);
      assertThat(nodes.table.status(id)).isEqualTo(EventStatus.NEW);
      nodes.pool.heal();
      Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
      assertThat(nodes.delivered).containsExactly(id);
      assertThat(nodes.table.number(id, "attempts").intValue()).isZero();
      assertThat(counts.failure).hasValue(0);
      assertThat(counts.stale).hasValue(0);
    }
  }

  @EachDatabase
  void aDeadEventIsNotResurrectedByAMarkThatComesLate(TestDatabase database) throws Exception {
    Counts counts = new Counts();
    Gate gate = new Gate();
    EventListener late =
        event -> {
          gate.onEvent(event);
          throw new IllegalStateException("late");
        };
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.started(b -> b.metrics(counts).listener("T", late));
      String id = Nodes.publish(node, Nodes.event("T"));
      gate.awaitEntered();
      nodes.table.update("UPDATE outbox_event SET status = 3 WHERE event_id = ?", id);
      gate.open();
      Eventually.await("stale", () -> counts.stale.get() == 1);
      assertThat(nodes.table.status(id)).isEqualTo(EventStatus.DEAD);
      assertThat(nodes.table.row(id).get("last_error")).isNull();
      assertThat(nodes.table.number(id, "attempts").intValue()).isZero();
    }
  }

  @EachDatabase
  void whatWaitsInAQueueIsNotQueuedAgainByEachPoll(TestDatabase database) throws Exception {
    pollsWhileBusy(database, new JdbcOutboxRepository());
  }

  @EachDatabase
  void whatWaitsInAQueueIsNotQueuedAgainFromAFiveMethodStore(TestDatabase database)
      throws Exception {
    pollsWhileBusy(database, new FiveMethods(new JdbcOutboxRepository()));
  }

  private static void pollsWhileBusy(TestDatabase database, EventStore store) throws Exception {
    Table table = Table.fresh(database);
    ThreadLocalTxContext context = new ThreadLocalTxContext();
    DataSourceConnectionProvider connections =
        new DataSourceConnectionProvider(database.dataSource());
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    Counts counts = new Counts();
    DefaultListenerRegistry registry =
        new DefaultListenerRegistry()
            .register(
                "T",
                event -> {
                  calls.incrementAndGet();
                  running.countDown();
                  release.await();
                });
    OutboxDispatcher dispatcher =
        OutboxDispatcher.builder(connections, store, registry).workers(1).metrics(counts).build();
    OutboxClient client = new OutboxClient(context, store, dispatcher, MetricsExporter.NOOP);
    OutboxPoller poller =
        new OutboxPoller(connections, store, dispatcher, Duration.ZERO, 200, 5000, counts);
    JdbcTransactionManager transactions = new JdbcTransactionManager(connections, context);
    for (int i = 0; i < 10; i++) {
      try (JdbcTransactionManager.Transaction tx = transactions.begin()) {
        client.publish(Nodes.event("T"));
        tx.commit();
      }
    }
    running.await();
    for (int i = 0; i < 5; i++) {
      poller.poll();
    }
    assertThat(counts.coldEnqueued).hasValue(0);
    release.countDown();
    Eventually.await("done", () -> table.countOf(EventStatus.DONE) == 10);
    poller.close();
    dispatcher.close(Duration.ofSeconds(5));
    assertThat(calls).hasValue(10);
  }

  @EachDatabase
  void poolsWithAutocommitOffLeaveNothingUncommitted(TestDatabase database) throws Exception {
    ConnectionPool pool = ConnectionPool.withoutAutoCommit(database.dataSource());
    AtomicInteger calls = new AtomicInteger();
    try (Nodes nodes = Nodes.on(database, pool)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.listener("T", nodes.recording())
                      .maxAttempts(2)
                      .listener(
                          "Bad",
                          event -> {
                            calls.incrementAndGet();
                            throw new IllegalStateException("bad");
                          }));
      String good = Nodes.publish(node, Nodes.event("T"));
      String bad = Nodes.publish(node, Nodes.event("Bad"));
      Eventually.await("done", () -> nodes.table.status(good) == EventStatus.DONE);
      Eventually.await("dead", () -> nodes.table.status(bad) == EventStatus.DEAD);
      assertThat(calls).hasValue(2);
      node.close();
      assertThat(pool.out()).isZero();
    }
  }

  @EachDatabase
  void theLagFallsToZeroWithTheBacklogAndStaysWhenTheDatabaseIsDown(TestDatabase database)
      throws Exception {
    Counts counts = new Counts();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      EventEnvelope old =
          EventEnvelope.builder("T")
              .availableAt(Instant.now().minusSeconds(60))
              .payloadJson("1")
              .build();
      Nodes.publish(publisher, old);
      JdbcOutboxRepository store = new JdbcOutboxRepository();
      DataSourceConnectionProvider connections = new DataSourceConnectionProvider(nodes.pool);
      OutboxDispatcher dispatcher =
          OutboxDispatcher.builder(
                  connections, store, new DefaultListenerRegistry().registerAll(e -> {}))
              .build();
      try (OutboxPoller poller =
          new OutboxPoller(connections, store, dispatcher, Duration.ZERO, 200, 5000, counts)) {
        poller.poll();
        assertThat(counts.lagMs.get()).isBetween(60_000L, 120_000L);
        long before = counts.lagMs.get();
        nodes.pool.failOn("getConnection"::equals);
        poller.poll();
        assertThat(counts.lagMs).hasValue(before);
        assertThat(counts.lagRecords).hasValue(1);
        nodes.pool.heal();
        Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 1);
        poller.poll();
        assertThat(counts.lagMs).hasValue(0);
      } finally {
        dispatcher.close(Duration.ofSeconds(5));
      }
    }
  }

  @EachDatabase
  void aBacklogLargerThanTheQueueDoesNotWaitForTheInterval(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      for (int i = 0; i < 100; i++) {
        Nodes.publish(publisher, Nodes.event("T"));
      }
      nodes.started(
          b ->
              b.listener("T", nodes.recording())
                  .pollInterval(Duration.ofMinutes(10))
                  .coldQueueCapacity(5)
                  .workers(1));
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 100);
      assertThat(nodes.delivered).hasSize(100).doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x; DROP TABLE y", "a b", "", "x--", "a.b.c", "\"q\""})
  void tableNamesAreCheckedBeforeTheyReachAStatement(String name) {
    assertThatThrownBy(() -> new JdbcOutboxRepository(name))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> JdbcOutbox.builder(new JdbcDataSource()).table(name).build())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> OutboxSchema.createIfMissing(null, name))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
