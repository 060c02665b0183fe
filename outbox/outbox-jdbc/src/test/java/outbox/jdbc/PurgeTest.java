package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.threads.Together;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import outbox.EventEnvelope;
import outbox.model.EventStatus;

/** Finished events, removed when they are old. */
class PurgeTest extends FreshTable {
  private static final Duration HOUR = Duration.ofHours(1);

  /** The same table two hours later. */
  private JdbcOutbox later() {
    return open(settings().publishOnly().clockOffset(() -> Duration.ofHours(2)));
  }

  private void finish(String eventId, EventStatus status) throws SQLException {
    table.update(
        "UPDATE outbox_event SET status = ?, done_at = created_at WHERE event_id = ?",
        status.code(),
        eventId);
  }

  @EachDatabase
  void removesOnlyWhatIsDoneForLongEnough() throws Exception {
    JdbcOutbox outbox = open(settings().publishOnly());
    List<String> ids = Publishing.publish(outbox, "A", 4);
    for (EventStatus status : EventStatus.values()) {
      finish(ids.get(status.code()), status);
    }
    assertThat(outbox.purge(HOUR)).as("done just now").isZero();
    assertThat(later().purge(HOUR)).isEqualTo(1);
    assertThat(table.row(ids.get(EventStatus.DONE.code()))).isEmpty();
    for (EventStatus left : List.of(EventStatus.NEW, EventStatus.RETRY, EventStatus.DEAD)) {
      assertThat(table.status(ids.get(left.code()))).isEqualTo(left);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> outbox.purge(Duration.ofSeconds(-1)))
        .withMessageContaining("olderThan must be zero or more");
  }

  @EachDatabase
  void removesDeadEventsOnRequest() throws Exception {
    JdbcOutbox outbox = open(settings().publishOnly());
    List<String> ids = Publishing.publish(outbox, "A", 3);
    finish(ids.get(0), EventStatus.DEAD);
    table.update(
        "UPDATE outbox_event SET status = 3, done_at = NULL WHERE event_id = ?", ids.get(1));
    assertThat(outbox.purgeDead(HOUR)).isZero();
    assertThat(later().purgeDead(HOUR)).isEqualTo(2);
    assertThat(table.ids(EventStatus.NEW)).containsExactly(ids.get(2));
    assertThat(outbox.ledger().lostByReason()).containsEntry("purged_dead", 2L);
  }

  @EachDatabase
  void aDeadEventThatOthersWaitForStays() throws Exception {
    JdbcOutbox outbox = open(settings().publishOnly());
    String head = Publishing.publish(outbox, Publishing.ordered("A", "1").build());
    String free = Publishing.publish(outbox, EventEnvelope.ofJson("A", "{}"));
    finish(head, EventStatus.DEAD);
    finish(free, EventStatus.DEAD);
    assertThat(later().purgeDead(HOUR)).isEqualTo(1);
    assertThat(table.status(head)).isEqualTo(EventStatus.DEAD);
    JdbcOutbox skipping =
        open(settings().publishOnly().onDead(OnDead.SKIP).clockOffset(() -> Duration.ofHours(2)));
    assertThat(skipping.purgeDead(HOUR)).as("nobody waits for it").isEqualTo(1);
  }

  @EachDatabase
  void manyAreRemovedInBatchesByManyAtOnce() throws Exception {
    JdbcOutbox outbox = open(settings().publishOnly());
    int count = 5 * Purge.BATCH + 1;
    Publishing.publish(outbox, "A", count);
    table.execute("UPDATE outbox_event SET status = 1, done_at = created_at");
    AtomicLong purged = new AtomicLong();
    JdbcOutbox later = later();
    Together.runAll(3, () -> purged.addAndGet(later.purge(HOUR)));
    // Who finds all rows locked by others leaves early; what it left is purged the next time.
    purged.addAndGet(later.purge(HOUR));
    assertThat(purged).hasValue(count);
    assertThat(table.count(EventStatus.DONE)).isZero();
  }

  @EachDatabase
  void aLockedRowIsPassedOver() throws Exception {
    JdbcOutbox outbox = open(settings().publishOnly());
    List<String> ids = Publishing.publish(outbox, "A", 2);
    table.execute("UPDATE outbox_event SET status = 1, done_at = created_at");
    JdbcOutbox later = later();
    try (Connection conn = database.connect()) {
      conn.setAutoCommit(false);
      try (PreparedStatement lock =
          conn.prepareStatement("SELECT * FROM outbox_event WHERE event_id = ? FOR UPDATE")) {
        lock.setString(1, ids.get(0));
        lock.executeQuery().close();
      }
      assertThat(later.purge(HOUR)).isEqualTo(1);
      conn.rollback();
    }
    assertThat(table.ids(EventStatus.DONE)).containsExactly(ids.get(0));
  }

  @EachDatabase
  void aNodeThatOnlyPublishesMayKeepARetention() throws Exception {
    JdbcOutbox outbox =
        open(settings().publishOnly().retention(HOUR).clockOffset(() -> Duration.ofHours(2)));
    String id = Publishing.publish(outbox, EventEnvelope.ofJson("A", "{}"));
    finish(id, EventStatus.DONE);
    outbox.start();
    outbox.start();
    Eventually.await("purged", () -> table.row(id).isEmpty());
  }

  @EachDatabase
  void retentionPurgesByItself() throws Exception {
    Duration ahead = Duration.ofHours(2);
    JdbcOutbox worker = open(settings().clockOffset(() -> ahead).listener("A", event -> {}));
    worker.start();
    List<String> ids = Publishing.publish(worker, "A", 2);
    Eventually.await("done", () -> table.count(EventStatus.DONE) == 2);
    table.update("UPDATE outbox_event SET done_at = created_at WHERE event_id = ?", ids.get(0));
    open(settings().clockOffset(() -> ahead).retention(HOUR)).start();
    Eventually.await("purged", () -> table.row(ids.get(0)).isEmpty());
    assertThat(table.status(ids.get(1))).isEqualTo(EventStatus.DONE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings().retention(Duration.ofSeconds(-1)))
        .withMessageContaining("retention must be zero or more");
  }
}
