package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Dialect;
import holdfast.jdbc.TableName;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.work.SuspectLimit;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import outbox.model.ClaimRequest;
import outbox.model.Held;
import outbox.model.LeaseTerms;

/**
 * Statements for a list of ids read those rows and no others. A scan of the table would lock the
 * rows it passes, wait for those that others have locked, and so end in a deadlock.
 */
@Timeout(120)
class OutcomePlanTest {
  private static final int ROWS = 700;
  private static final int IDS = 500;
  private static final LeaseTerms HERE = new LeaseTerms("here", Duration.ofMinutes(10));
  private static final String FILL =
      """
      INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at)
      SELECT CONCAT('e-', LPAD(seq, 5, '0')), 'T', '{}', %d, UTC_TIMESTAMP(6) - INTERVAL 1 HOUR,
             UTC_TIMESTAMP(6) - INTERVAL 1 HOUR
        FROM seq_1_to_%d
      """;

  private interface Work {
    int with(Connection conn) throws SQLException;
  }

  private final List<String> scans = new ArrayList<>();

  private static List<Held> held() {
    return IntStream.rangeClosed(1, IDS).mapToObj(i -> new Held("e-%05d".formatted(i), 0)).toList();
  }

  /** How many rows this connection has read by going from one to the next. */
  private static long passed(Connection conn) throws SQLException {
    try (Statement statement = conn.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT SUM(variable_value) FROM information_schema.session_status WHERE"
                    + " variable_name IN ('HANDLER_READ_NEXT', 'HANDLER_READ_RND_NEXT')")) {
      found.next();
      return found.getLong(1);
    }
  }

  private void check(TestDatabase database, String what, int rows, Work work) throws SQLException {
    try (Connection conn = database.connect()) {
      conn.setAutoCommit(false);
      conn.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      long asking = passed(conn);
      asking = passed(conn) - asking;
      long before = passed(conn);
      assertThat(work.with(conn)).as(what).isEqualTo(rows);
      long passed = passed(conn) - before - asking;
      if (passed > 0) {
        scans.add(what + " passed " + passed + " rows");
      }
      conn.rollback();
    }
  }

  @EachDatabase(DatabaseKind.MARIADB)
  void marksReadTheRowsTheyAreAbout(TestDatabase database) throws Exception {
    Table.fresh(database).execute(FILL.formatted(0, ROWS));
    JdbcOutboxRepository store = new JdbcOutboxRepository();
    Held one = held().get(0);
    check(database, "done", 0, conn -> store.done(conn, held()).size());
    check(
        database,
        "done what is partly lost",
        1,
        conn -> {
          store.retry(conn, one, Duration.ZERO, "why", true);
          return store.done(conn, held()).size();
        });
    check(database, "renew", 0, conn -> store.renew(conn, held(), HERE).size());
    check(
        database,
        "renew what is partly lost",
        1,
        conn -> {
          store.retry(conn, one, Duration.ZERO, "why", true);
          return store.renew(conn, held(), HERE).size();
        });
    check(database, "release", IDS, conn -> store.release(conn, held(), Duration.ZERO, false));
    check(database, "start", 1, conn -> store.start(conn, one, HERE, 1) ? 1 : 0);
    check(database, "dead", 1, conn -> store.dead(conn, one, "why") ? 1 : 0);
    check(
        database,
        "release unhandled",
        1,
        conn -> store.releaseUnhandled(conn, one, Duration.ZERO) ? 1 : 0);
    assertThat(scans).isEmpty();
  }

  @EachDatabase(DatabaseKind.MARIADB)
  void aClaimReadsEachRowOnceInTheOrderOfTheIndex(TestDatabase database) throws Exception {
    Table.fresh(database).execute(FILL.formatted(0, ROWS));
    JdbcOutboxRepository store = new JdbcOutboxRepository();
    ClaimRequest request =
        new ClaimRequest(
            HERE, IDS, Map.of(), Long.MAX_VALUE, new SuspectLimit(0, 0), 3, Duration.ZERO);
    check(database, "claim", IDS, conn -> store.claim(conn, request, id -> true).claims().size());
    assertThat(scans).containsExactly("claim passed " + (IDS - 1) + " rows");
  }

  @EachDatabase(DatabaseKind.MARIADB)
  void deadOnesAreRedeliveredWithoutReadingOthers(TestDatabase database) throws Exception {
    Table.fresh(database).execute(FILL.formatted(3, ROWS));
    OutboxTable table =
        new OutboxTable(
            Dialect.of(database.dataSource()), TableName.of("outbox_event"), DatabaseClock.TRUE);
    RedeliverEvents redelivers = new RedeliverEvents(JdbcOutboxSettings.DEFAULT);
    List<String> ids = held().stream().map(Held::eventId).toList();
    check(database, "redeliver", IDS, conn -> redelivers.redeliver(conn, table, ids).size());
    assertThat(scans).isEmpty();
  }
}
