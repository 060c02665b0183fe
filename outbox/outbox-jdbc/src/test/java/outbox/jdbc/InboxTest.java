package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Together;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Events that a consumer handles once, however often they are delivered. */
class InboxTest {
  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private final Inbox inbox = new Inbox();
  private TestDatabase database;

  @BeforeEach
  void connect(TestDatabase database) throws SQLException {
    this.database = database;
    execute("DROP TABLE IF EXISTS outbox_inbox");
    OutboxSchema.createInboxIfMissing(database.dataSource());
    OutboxSchema.createInboxIfMissing(database.dataSource());
  }

  @AfterEach
  void close() {
    other.shutdownNow();
  }

  private void execute(String sql) throws SQLException {
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement()) {
      statement.execute(sql);
    }
  }

  private Connection begin() throws SQLException {
    Connection conn = database.connect();
    conn.setAutoCommit(false);
    return conn;
  }

  private boolean firstTime(String consumer, String eventId) throws SQLException {
    try (Connection conn = begin()) {
      boolean first = inbox.firstTime(conn, consumer, eventId);
      conn.commit();
      return first;
    }
  }

  @EachDatabase
  void anEventIsNewOnceForEachConsumer() throws Exception {
    assertThat(firstTime("mailer", "1")).isTrue();
    assertThat(firstTime("mailer", "1")).isFalse();
    assertThat(firstTime("biller", "1")).isTrue();
    assertThat(firstTime("mailer", "2")).isTrue();
    assertThat(firstTime("Mailer", "1")).as("case matters").isTrue();
    assertThat(firstTime("mailer ", "1")).as("spaces matter").isTrue();
    assertThat(firstTime("c".repeat(128), "e".repeat(36))).isTrue();
    assertThat(firstTime("c".repeat(128), "e".repeat(36))).isFalse();
  }

  @EachDatabase
  void aRollbackMakesItNewAgain() throws Exception {
    try (Connection conn = begin()) {
      assertThat(inbox.firstTime(conn, "mailer", "1")).isTrue();
      assertThat(inbox.firstTime(conn, "mailer", "1")).as("in the same transaction").isFalse();
      conn.rollback();
    }
    assertThat(firstTime("mailer", "1")).isTrue();
  }

  @EachDatabase
  void theSecondWaitsForTheFirstAndIsNotNewAfterItsCommit() throws Exception {
    try (Connection conn = begin()) {
      assertThat(inbox.firstTime(conn, "mailer", "1")).isTrue();
      Future<Boolean> second = askedAtOnce();
      conn.commit();
      assertThat(second.get(30, TimeUnit.SECONDS)).isFalse();
    }
  }

  @EachDatabase
  void theSecondWaitsForTheFirstAndIsNewAfterItsRollback() throws Exception {
    try (Connection conn = begin()) {
      assertThat(inbox.firstTime(conn, "mailer", "1")).isTrue();
      Future<Boolean> second = askedAtOnce();
      conn.rollback();
      assertThat(second.get(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Asks on another thread and gives it time to get stuck, which it must. */
  private Future<Boolean> askedAtOnce() throws Exception {
    CountDownLatch asking = new CountDownLatch(1);
    Future<Boolean> answer =
        other.submit(
            () -> {
              asking.countDown();
              return firstTime("mailer", "1");
            });
    asking.await();
    assertThat(new CountDownLatch(1).await(200, TimeUnit.MILLISECONDS)).isFalse();
    assertThat(answer).isNotDone();
    return answer;
  }

  @EachDatabase
  void ofManyAtOnceExactlyOneIsFirst() throws Exception {
    for (int round = 0; round < 20; round++) {
      String eventId = "event-" + round;
      CountDownLatch ready = new CountDownLatch(8);
      List<Boolean> answers =
          Together.callAll(
              8,
              () -> {
                try (Connection conn = begin()) {
                  ready.countDown();
                  ready.await();
                  boolean first = inbox.firstTime(conn, "mailer", eventId);
                  conn.commit();
                  return first;
                }
              });
      assertThat(answers).as("round %d", round).containsOnlyOnce(true).hasSize(8);
    }
  }

  @EachDatabase
  void oldNotesArePurgedAndYoungOnesStay() throws Exception {
    for (int i = 0; i < 3; i++) {
      firstTime("mailer", "old-" + i);
    }
    execute("UPDATE outbox_inbox SET received_at = TIMESTAMP '2020-01-01 00:00:00'");
    firstTime("mailer", "young");
    assertThat(inbox.purge(database.dataSource(), Duration.ofHours(1))).isEqualTo(3);
    assertThat(firstTime("mailer", "young")).isFalse();
    assertThat(firstTime("mailer", "old-0")).isTrue();
  }

  @EachDatabase
  void moreThanABatchIsPurged() throws Exception {
    try (Connection conn = begin()) {
      for (int i = 0; i < 1_201; i++) {
        inbox.firstTime(conn, "mailer", "e" + i);
      }
      conn.commit();
    }
    execute("UPDATE outbox_inbox SET received_at = TIMESTAMP '2020-01-01 00:00:00'");
    assertThat(inbox.purge(database.dataSource(), Duration.ZERO)).isEqualTo(1_201);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> inbox.purge(database.dataSource(), Duration.ofSeconds(-1)))
        .withMessageContaining("olderThan must be zero or more");
  }

  @EachDatabase
  void limitsAreCheckedBeforeTheDatabaseDoes() throws Exception {
    try (Connection conn = begin()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> inbox.firstTime(conn, "c".repeat(129), "e".repeat(37)))
          .withMessageContaining("consumer must have 128 characters or fewer but was 129")
          .withMessageContaining("eventId must have 36 characters or fewer but was 37");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> inbox.firstTime(conn, " ", "a\0b"))
          .withMessageContaining("consumer must not be blank")
          .withMessageContaining("eventId must have no NUL");
    }
    try (Connection conn = database.connect()) {
      assertThatIllegalStateException()
          .isThrownBy(() -> inbox.firstTime(conn, "mailer", "1"))
          .withMessageContaining("firstTime needs a transaction");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Inbox("i".repeat(51)))
        .withMessageContaining("50 characters or fewer");
    String longest = "i".repeat(50);
    OutboxSchema.createInboxIfMissing(database.dataSource(), longest);
    try (Connection conn = begin()) {
      assertThat(new Inbox(longest).firstTime(conn, "mailer", "1")).isTrue();
    }
    execute("DROP TABLE " + longest);
  }
}
