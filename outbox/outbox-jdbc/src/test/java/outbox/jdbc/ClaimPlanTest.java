package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Dialect;
import holdfast.jdbc.TableName;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The claim reads the index of pending rows in order, however many rows are done. */
class ClaimPlanTest {
  private static final String FILL =
      """
      INSERT INTO outbox_event (event_id, event_type, payload, status, available_at, created_at)
      SELECT '%1$s-' || i, 'T', '{}', %2$d,
             timezone('UTC', now()) - interval '1 hour' + i * interval '1 millisecond',
             timezone('UTC', now()) - interval '1 hour'
        FROM generate_series(1, %3$d) AS i
      """;

  private static List<String> plan(Connection conn, String search, Object... values)
      throws SQLException {
    List<String> lines = new ArrayList<>();
    try (PreparedStatement explain = conn.prepareStatement("EXPLAIN (ANALYZE) " + search)) {
      for (int i = 0; i < values.length; i++) {
        explain.setObject(i + 1, values[i]);
      }
      try (ResultSet plan = explain.executeQuery()) {
        while (plan.next()) {
          lines.add(plan.getString(1));
        }
      }
    }
    return lines;
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void byTheIndexOfPendingRowsWithoutASort(TestDatabase database) throws Exception {
    Table table = Table.fresh(database);
    table.execute(FILL.formatted("done", 1, 100_000));
    table.execute(FILL.formatted("pending", 0, 10_000));
    table.execute("VACUUM ANALYZE outbox_event");
    OutboxTable words =
        new OutboxTable(
            Dialect.of(database.dataSource()), TableName.of("outbox_event"), DatabaseClock.TRUE);
    ClaimEvents claims =
        new ClaimEvents(words, OnDead.BLOCK, new AggregateOrder(words, OnDead.BLOCK));
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement()) {
      conn.setAutoCommit(false);
      statement.execute("SET LOCAL jit = off");
      Object[] values = {Long.MAX_VALUE, 0L, 0L, 200};
      List<String> innocents = plan(conn, claims.innocentsDue(), values);
      assertThat(String.join("\n", innocents)).contains("outbox_event_idx_status_available");
      assertThat(innocents).noneMatch(line -> line.contains("Sort"));
      assertThat(innocents).noneMatch(line -> line.contains("Seq Scan"));
      List<String> firstSuspect = plan(conn, claims.firstSuspect(), 0L);
      assertThat(String.join("\n", firstSuspect)).contains("outbox_event_idx_status_available");
      assertThat(firstSuspect).noneMatch(line -> line.contains("Seq Scan"));
      List<String> suspects = plan(conn, claims.suspectsDue(), values);
      assertThat(String.join("\n", suspects)).contains("outbox_event_idx_status_available");
      assertThat(suspects).noneMatch(line -> line.contains("Seq Scan"));
      conn.rollback();
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void waitingRetriesAreFoundWithoutReadingWhatIsDelayed(TestDatabase database) throws Exception {
    Table table = Table.fresh(database);
    table.execute(FILL.formatted("delayed", 0, 20_000));
    table.execute(FILL.formatted("retry", 2, 100));
    table.execute(
        "UPDATE outbox_event SET attempts = status, available_at = available_at + interval '1 day'");
    table.execute("VACUUM ANALYZE outbox_event");
    OutboxTable words =
        new OutboxTable(
            Dialect.of(database.dataSource()), TableName.of("outbox_event"), DatabaseClock.TRUE);
    try (Connection conn = database.connect();
        PreparedStatement explain =
            conn.prepareStatement("EXPLAIN (ANALYZE) " + words.fill(ClaimEvents.LOCK_RETRIES))) {
      explain.setString(1, "T");
      explain.setLong(2, 0);
      explain.setInt(3, 500);
      List<String> lines = new ArrayList<>();
      try (ResultSet plan = explain.executeQuery()) {
        while (plan.next()) {
          lines.add(plan.getString(1));
        }
      }
      assertThat(String.join("\n", lines)).contains("outbox_event_idx_retry");
    }
  }
}
