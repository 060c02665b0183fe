package eventbus.table;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.EventBusSchema;
import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Dialect;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;

/** A claim reads what it returns and little more, however much waits, is held or is delayed. */
class ClaimPlanTest {
  private static final int LIMIT = 100;
  private static final String FILL =
      """
      INSERT INTO events (type, payload, priority, available_at, claimed_by, status)
      SELECT '%s', '{}', %d, timezone('UTC', now()) + interval '%s' + i * interval '1 microsecond',
             %s, 'PENDING'
        FROM generate_series(1, %d) AS i
      """;
  private static final Pattern ROWS =
      Pattern.compile("events.*actual time=\\S+ rows=([0-9.]+) loops=(\\d+)");

  private EventTable table;

  @BeforeEach
  void fill(TestDatabase database) throws SQLException {
    table =
        new EventTable(Dialect.of(database.dataSource()), TableNames.DEFAULT, DatabaseClock.TRUE);
    EventBusSchema.createIfMissing(database.dataSource());
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement()) {
      statement.execute("TRUNCATE events");
      statement.execute(FILL.formatted("A", 5, "-1 hour", "NULL", 100_000)); // a deep backlog
      statement.execute(FILL.formatted("A", 0, "1 hour", "NULL", 50_000)); // delayed, before it
      statement.execute(FILL.formatted("A", 5, "5 minutes", "'w'", 10_000)); // held
      statement.execute(FILL.formatted("A", 5, "-2 hours", "'dead'", 2_000)); // lapsed
      statement.execute(FILL.formatted("B", 5, "-1 hour", "NULL", 10)); // few
      statement.execute("VACUUM ANALYZE events");
    }
  }

  private interface Binding {
    void bind(PreparedStatement statement) throws SQLException;
  }

  private static List<String> plan(TestDatabase database, String text, Binding values)
      throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Connection conn = database.connect();
        PreparedStatement explain = conn.prepareStatement("EXPLAIN (ANALYZE) " + text)) {
      conn.setAutoCommit(false);
      values.bind(explain);
      try (ResultSet plan = explain.executeQuery()) {
        while (plan.next()) {
          lines.add(plan.getString(1));
        }
      }
      conn.rollback();
    }
    return lines;
  }

  /** How many rows the plan's scans of the table have read. */
  private static double rowsRead(List<String> plan) {
    double rows = 0;
    for (String line : plan) {
      Matcher found = ROWS.matcher(line);
      if (found.find() && line.contains("Scan")) {
        rows += Double.parseDouble(found.group(1)) * Integer.parseInt(found.group(2));
      }
    }
    return rows;
  }

  private static void assertByIndex(List<String> plan, String index) {
    String text = String.join("\n", plan);
    assertThat(text).contains(index);
    assertThat(plan).as(text).noneMatch(line -> line.contains("Seq Scan"));
    assertThat(plan).as(text).noneMatch(line -> line.contains("Sort"));
    assertThat(plan).as(text).noneMatch(line -> line.contains("Rows Removed by Filter"));
  }

  private List<String> claimPlan(TestDatabase database, String type, int priority)
      throws SQLException {
    return plan(
        database,
        table.fill(ClaimEvents.DUE),
        statement -> {
          statement.setLong(1, Long.MAX_VALUE);
          statement.setLong(2, 0);
          statement.setString(3, type);
          statement.setInt(4, priority);
          statement.setLong(5, 0);
          statement.setInt(6, LIMIT);
        });
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void theClaimReadsWhatItReturns(TestDatabase database) throws Exception {
    List<String> deep = claimPlan(database, "A", 5);
    assertByIndex(deep, "events_idx_due");
    assertThat(rowsRead(deep)).as(String.join("\n", deep)).isBetween(100.0, 101.0);
    List<String> few = claimPlan(database, "B", 5);
    assertThat(rowsRead(few)).as(String.join("\n", few)).isBetween(10.0, 11.0);
    List<String> delayed = claimPlan(database, "A", 0);
    assertThat(rowsRead(delayed)).as(String.join("\n", delayed)).isZero();
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void theLookAheadReadsOneRowOfEachTypeAndPriority(TestDatabase database) throws Exception {
    List<String> heads =
        plan(
            database,
            table.fill(NextDuePerType.text(table, 2)),
            statement -> {
              statement.setLong(1, 0);
              statement.setString(2, "A");
              statement.setString(3, "B");
              statement.setLong(4, 0);
            });
    String text = String.join("\n", heads);
    assertThat(text).contains("events_idx_due").contains("events_idx_held");
    assertThat(text).doesNotContain("Seq Scan").doesNotContain("Rows Removed by Filter");
    assertThat(rowsRead(heads)).as(text).isBetween(3.0, 5.0);
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void whatWaitsAfterAFailureIsFoundByAnIndex(TestDatabase database) throws Exception {
    try (Connection conn = database.connect();
        Statement statement = conn.createStatement()) {
      statement.execute("UPDATE events SET failing_since = created_at WHERE type = 'B'");
      statement.execute("VACUUM ANALYZE events");
    }
    String waiting = WaitingRows.condition(null).toString();
    List<String> list =
        plan(
            database,
            table.fill(WaitingRows.LIST + waiting + WaitingRows.BY_ID),
            statement -> statement.setInt(1, LIMIT));
    assertByIndex(list, "events_idx_failing");
    assertThat(rowsRead(list)).as(String.join("\n", list)).isEqualTo(10);
    List<String> count = plan(database, table.fill(WaitingRows.COUNT + waiting), statement -> {});
    assertThat(String.join("\n", count)).contains("events_idx_failing");
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void theSearchForASuspectReadsOne(TestDatabase database) throws Exception {
    List<String> suspect =
        plan(
            database,
            table.fill(ClaimEvents.SUSPECT.formatted("")),
            statement -> {
              statement.setLong(1, Long.MAX_VALUE);
              statement.setLong(2, 0);
              statement.setLong(3, 0);
              statement.setInt(4, 1);
            });
    assertByIndex(suspect, "events_idx_held");
    assertThat(rowsRead(suspect)).isBetween(1.0, 2.0);
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void theLagReadsOfWhatIsHeldOnlyWhatHasLapsed(TestDatabase database) throws Exception {
    List<String> lapsed =
        plan(
            database,
            table.fill(Lag.LAPSED),
            statement -> {
              statement.setLong(1, 0);
              statement.setLong(2, 0);
            });
    String text = String.join("\n", lapsed);
    assertThat(text).contains("events_idx_held").doesNotContain("Seq Scan");
    assertThat(rowsRead(lapsed)).as(text).isBetween(2_000.0, 4_000.0);
  }
}
