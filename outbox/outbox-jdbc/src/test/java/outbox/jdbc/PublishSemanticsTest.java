package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxConfig;
import outbox.model.EventStatus;
import outbox.spi.TxContext;

/** What a publication does to the table, and when others see it. */
@Timeout(60)
class PublishSemanticsTest {

  private static int status(Connection conn, String id) throws Exception {
    try (Statement statement = conn.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT status FROM outbox_event WHERE event_id = '" + id + "'")) {
      return row.next() ? row.getInt(1) : -1;
    }
  }

  @EachDatabase
  void theRowIsNewInTheCallersTransactionAndNobodyElseSeesItBefore(TestDatabase database)
      throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.delivering(b -> b.listener("T", nodes.recording()));
      try (JdbcTransactionManager.Transaction tx = node.begin()) {
        String id = node.publish(Nodes.event("T"));
        assertThat(status(tx.connection(), id)).isEqualTo(EventStatus.NEW.code());
        assertThat(nodes.table.row(id)).isEmpty();
        assertThat(nodes.delivered).isEmpty();
        tx.commit();
        Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
      }
    }
  }

  @EachDatabase
  void insertedDirectlyItIsDueNowAndHappenedWhenThePublisherSays(TestDatabase database)
      throws Exception {
    Table table = Table.fresh(database);
    Instant happened = Instant.parse("2020-02-03T04:05:06.123456Z");
    EventEnvelope event = EventEnvelope.builder("T").occurredAt(happened).payloadJson("1").build();
    Instant before = Instant.now();
    try (Connection conn = database.connect()) {
      new JdbcOutboxRepository().insertNew(conn, event);
    }
    String id = event.eventId();
    assertThat(table.moment(id, "created_at").toInstant(ZoneOffset.UTC)).isEqualTo(happened);
    assertThat(table.moment(id, "available_at").toInstant(ZoneOffset.UTC))
        .isBetween(before.minusSeconds(2), Instant.now().plusSeconds(2));
    assertThat(table.number(id, "status").intValue()).isZero();
    assertThat(table.number(id, "attempts").intValue()).isZero();
    assertThat(table.row(id).get("claimed_by")).isNull();
  }

  @EachDatabase
  void aTransactionBelongsToTheThreadThatBeganIt(TestDatabase database) throws Exception {
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.made(b -> b.publishOnly());
      try (JdbcTransactionManager.Transaction tx = node.begin()) {
        CompletableFuture<Throwable> other =
            CompletableFuture.supplyAsync(() -> node.publish(Nodes.event("T")))
                .handle((id, failure) -> failure);
        assertThat(other.get(30, TimeUnit.SECONDS))
            .hasRootCauseInstanceOf(IllegalStateException.class);
        node.publish(Nodes.event("T"));
        tx.commit();
      }
      assertThat(nodes.table.countWhere("1 = 1")).isEqualTo(1);
    }
  }

  @EachDatabase
  void tenantsAreCarriedAlongAndNeverLookedAt(TestDatabase database) throws Exception {
    Queue<String> tenants = new ConcurrentLinkedQueue<>();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox publisher = nodes.made(b -> b.publishOnly());
      for (String tenant : List.of("a", "b", "c")) {
        Nodes.publish(
            publisher, EventEnvelope.builder("T").tenantId(tenant).payloadJson("1").build());
      }
      Nodes.publish(publisher, Nodes.event("T"));
      nodes.started(b -> b.listener("T", event -> tenants.add(String.valueOf(event.tenantId()))));
      Eventually.await("all", () -> nodes.table.countOf(EventStatus.DONE) == 4);
      assertThat(tenants).containsExactlyInAnyOrder("a", "b", "c", "null");
    }
  }

  @EachDatabase
  void delayedEventsComeAfterTheirTimeAndNotBefore(TestDatabase database) throws Exception {
    Queue<Instant> came = new ConcurrentLinkedQueue<>();
    Duration delay = Duration.ofMillis(700);
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.started(b -> b.listener("T", event -> came.add(Instant.now())));
      Instant published = Instant.now();
      Nodes.publish(node, EventEnvelope.builder("T").deliverAfter(delay).payloadJson("1").build());
      Nodes.publish(
          node,
          EventEnvelope.builder("T").availableAt(published.plus(delay)).payloadJson("1").build());
      Eventually.await("done", () -> nodes.table.countOf(EventStatus.DONE) == 2);
      assertThat(came).hasSize(2).allMatch(at -> !at.isBefore(published.plus(delay)));
    }
  }

  @EachDatabase
  void severalEventsGoInOneStatement(TestDatabase database) throws Exception {
    Queue<String> inserts = new ConcurrentLinkedQueue<>();
    List<EventEnvelope> events = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      events.add(Nodes.event("T"));
    }
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node = nodes.made(b -> b.publishOnly());
      nodes.pool.failOn(call -> call.contains("INSERT INTO outbox_event (") && !inserts.add(call));
      try (JdbcTransactionManager.Transaction tx = node.begin()) {
        assertThat(node.publishAll(events))
            .isEqualTo(events.stream().map(EventEnvelope::eventId).toList());
        tx.commit();
      }
      assertThat(inserts).hasSize(1);
      assertThat(nodes.table.countOf(EventStatus.NEW)).isEqualTo(100);
    }
  }

  /** The transaction context of a framework whose savepoints cannot be seen. */
  private record Blind(TxContext real) implements TxContext {
    @Override
    public boolean isTransactionActive() {
      return real.isTransactionActive();
    }

    @Override
    public Connection currentConnection() {
      return real.currentConnection();
    }

    @Override
    public void afterCommit(Runnable callback) {
      real.afterCommit(callback);
    }

    @Override
    public void afterRollback(Runnable callback) {
      real.afterRollback(callback);
    }

    @Override
    public boolean hasUnseenSavepoint() {
      return true;
    }
  }

  @EachDatabase
  void insideASavepointThatCannotBeSeenItIsNeitherLeasedNorHot(TestDatabase database)
      throws Exception {
    Counts counts = new Counts();
    ThreadLocalTxContext real = new ThreadLocalTxContext();
    try (Nodes nodes = Nodes.on(database)) {
      JdbcTransactionManager transactions =
          new JdbcTransactionManager(new DataSourceConnectionProvider(nodes.pool), real);
      JdbcOutbox node =
          nodes.delivering(
              b -> b.txContext(new Blind(real)).metrics(counts).listener("T", nodes.recording()));
      String id;
      try (JdbcTransactionManager.Transaction tx = transactions.begin()) {
        id = node.publish(Nodes.event("T"));
        tx.commit();
      }
      assertThat(nodes.table.row(id).get("claimed_by")).isNull();
      assertThat(counts.hotEnqueued).hasValue(0);
      nodes.started(b -> b.listener("T", nodes.recording()));
      Eventually.await("done", () -> nodes.table.status(id) == EventStatus.DONE);
    }
  }

  @EachDatabase
  void theSpecificationsConfigSetsEveryNumber(TestDatabase database) throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    Counts counts = new Counts();
    try (Nodes nodes = Nodes.on(database)) {
      OutboxConfig config =
          new OutboxConfig()
              .setDispatcherWorkers(1)
              .setHotQueueCapacity(2)
              .setColdQueueCapacity(3)
              .setPollerEnabled(false)
              .setRetryMaxAttempts(1);
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.config(config)
                      .metrics(counts)
                      .listener(
                          "T",
                          event -> {
                            release.await();
                            throw new IllegalStateException("once is enough");
                          }));
      for (int i = 0; i < 5; i++) {
        Nodes.publish(node, Nodes.event("T"));
      }
      Eventually.await("full", () -> counts.hotDropped.get() >= 2);
      release.countDown();
      Eventually.await("dead", () -> counts.dead.get() == counts.hotEnqueued.get());
      assertThat(counts.coldEnqueued).as("no poller").hasValue(0);
      assertThatThrownBy(
              () -> JdbcOutbox.builder(nodes.pool).config(new OutboxConfig().setPollerBatchSize(0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("pollerBatchSize must be 1 or more");
    }
  }
}
