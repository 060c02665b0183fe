package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import outbox.EventEnvelope;

class OutboxBacklogTest {

  private final JdbcOutboxRepository repository = new JdbcOutboxRepository();
  private Table table;
  private OutboxBacklog backlog;

  @BeforeEach
  void connect(TestDatabase database) throws SQLException {
    table = Table.fresh(database);
    backlog = OutboxBacklog.of(database.dataSource(), JdbcOutboxRepository.DEFAULT_TABLE);
  }

  private String insert(EventEnvelope event) throws SQLException {
    try (Connection conn = table.database.connect()) {
      repository.insertNew(conn, event);
    }
    return event.eventId();
  }

  @EachDatabase
  void anEmptyTableHasNone() {
    assertThat(backlog.overdue()).isEmpty();
  }

  @EachDatabase
  void itIsAsOldAsTheEventThatIsDueForLongest() throws SQLException {
    insert(EventEnvelope.ofJson("New", "{}"));
    String old = insert(EventEnvelope.ofJson("Old", "{}"));
    table.update(
        "UPDATE outbox_event SET available_at = TIMESTAMP '2020-01-01 00:00:00' WHERE event_id = ?",
        old);

    assertThat(backlog.overdue())
        .hasValueSatisfying(age -> assertThat(age).isGreaterThan(days(365)));
  }

  @EachDatabase
  void whatIsDoneDeadOrNotYetDueIsNone() throws SQLException {
    insert(EventEnvelope.builder("Later").payloadJson("{}").deliverAfter(days(1)).build());
    String done = insert(EventEnvelope.ofJson("Done", "{}"));
    String dead = insert(EventEnvelope.ofJson("Dead", "{}"));
    String retried = insert(EventEnvelope.ofJson("Retried", "{}"));
    try (Connection conn = table.database.connect()) {
      repository.markDone(conn, done);
      repository.markDead(conn, dead, "no");
      repository.markRetry(conn, retried, Instant.now().plus(days(1)), "not yet");
    }

    assertThat(backlog.overdue()).isEmpty();
  }

  @EachDatabase
  void anOrderedEventBehindAFailingOneIsNone() throws SQLException {
    String head = insert(ordered("{\"n\":1}"));
    insert(ordered("{\"n\":2}"));
    try (Connection conn = table.database.connect()) {
      repository.markDead(conn, head, "no");
    }

    assertThat(backlog.overdue()).isEmpty();
  }

  @EachDatabase
  void whereDeadEventsAreSkippedTheOneBehindIsDue() throws SQLException {
    String head = insert(ordered("{\"n\":1}"));
    insert(ordered("{\"n\":2}"));
    try (Connection conn = table.database.connect()) {
      repository.markDead(conn, head, "no");
    }

    try (JdbcOutbox skips =
        JdbcOutbox.builder(table.database.dataSource()).onDead(OnDead.SKIP).publishOnly().build()) {
      assertThat(skips.backlog().overdue()).isPresent();
    }
  }

  @EachDatabase
  void whatThisNodeHasInFlightIsOverdueThoughItIsClaimed(TestDatabase database) throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (Nodes nodes = Nodes.on(database)) {
      JdbcOutbox node =
          nodes.started(
              b ->
                  b.workers(1)
                      .listener(
                          "T",
                          event -> {
                            running.countDown();
                            end.await();
                          }));
      Nodes.publish(node, Nodes.event("T"));
      running.await();
      Nodes.publish(node, Nodes.event("T"));
      Duration queued = node.dispatcher().oldestWaiting();
      assertThat(queued).isPositive();
      assertThat(node.backlog().unclaimed()).isEmpty();
      assertThat(node.backlog().overdue())
          .hasValueSatisfying(age -> assertThat(age).isGreaterThan(queued));
      end.countDown();
      Eventually.await("let go", () -> node.dispatcher().inFlight() == 0);
      assertThat(node.backlog().overdue()).isEmpty();
    }
  }

  private static EventEnvelope ordered(String json) {
    return EventEnvelope.builder("Ordered")
        .aggregateType("Order")
        .aggregateId("1")
        .ordered()
        .payloadJson(json)
        .build();
  }

  private static Duration days(int days) {
    return Duration.ofDays(days);
  }
}
