package holdfast.jdbc;

import static holdfast.jdbc.Databases.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TableCheckTest {
  private static final AtomicInteger NUMBER = new AtomicInteger();

  private static final Map<DatabaseKind, String> MOMENT =
      Map.of(
          DatabaseKind.H2, "TIMESTAMP(6)",
          DatabaseKind.POSTGRESQL, "TIMESTAMP(6)",
          DatabaseKind.MARIADB, "DATETIME(6)");
  private static final Map<DatabaseKind, String> ZONED =
      Map.of(
          DatabaseKind.H2, "TIMESTAMP(6) WITH TIME ZONE",
          DatabaseKind.POSTGRESQL, "TIMESTAMPTZ",
          DatabaseKind.MARIADB, "TIMESTAMP(6) NULL");
  private static final Map<DatabaseKind, String> BYTES =
      Map.of(
          DatabaseKind.H2, "BINARY LARGE OBJECT",
          DatabaseKind.POSTGRESQL, "BYTEA",
          DatabaseKind.MARIADB, "LONGBLOB");

  private static TableCheck check(String table) {
    return TableCheck.of(TableName.of(table), "createTables()", "letters/schema")
        .columns(ColumnKind.TEXT, "ID", "note")
        .columns(ColumnKind.DOCUMENT, "doc")
        .columns(ColumnKind.NUMBER, "status")
        .columns(ColumnKind.MOMENT, "sent_at")
        .columns(ColumnKind.BYTES, "body")
        .columns(ColumnKind.FLAG, "seen")
        .rights("status", Right.values());
  }

  /** A fresh table with these types for the columns that tests vary. */
  private static String table(TestDatabase database, String moment, String status, String body)
      throws SQLException {
    String table = "checked_" + NUMBER.incrementAndGet();
    execute(
        database,
        "CREATE TABLE %s (id VARCHAR(36) PRIMARY KEY, note %s, doc JSON, status %s, sent_at %s, body %s, seen BOOLEAN)"
            .formatted(
                table,
                database.kind() == DatabaseKind.MARIADB ? "LONGTEXT" : "VARCHAR(4000)",
                status,
                moment,
                body));
    return table;
  }

  private static String good(TestDatabase database) throws SQLException {
    return table(database, MOMENT.get(database.kind()), "SMALLINT", BYTES.get(database.kind()));
  }

  private static void require(DataSource dataSource, String table) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      check(table).require(connection, Dialect.of(connection));
    }
  }

  private static String problem(ThrowingCallable call) {
    StringBuilder message = new StringBuilder();
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            TableException.class,
            e -> {
              assertThat(e.isMissing()).isFalse();
              message.append(e.getMessage());
            });
    return message.toString();
  }

  @EachDatabase
  void aTableAsItMustBeIsAccepted(TestDatabase database) throws SQLException {
    require(database.dataSource(), good(database));
  }

  /** Drivers log each statement that fails as a warning, in every application that starts. */
  @EachDatabase(DatabaseKind.MARIADB)
  void theCheckSendsNoStatementThatFails(TestDatabase database) throws SQLException {
    execute(database, "CREATE TABLE strict_letter (id INT NOT NULL, status INT NOT NULL)");
    try (Connection connection = database.connect()) {
      TableCheck.of(TableName.of("strict_letter"), "createTables()", "letters/schema")
          .columns(ColumnKind.NUMBER, "id", "status")
          .rights("status", Right.INSERT)
          .require(connection, Dialect.of(connection));

      try (Statement statement = connection.createStatement();
          ResultSet errors = statement.executeQuery("SHOW COUNT(*) ERRORS")) {
        assertThat(errors.next()).isTrue();
        assertThat(errors.getInt(1)).as("errors of the last statement").isZero();
      }
    }
  }

  @EachDatabase
  void aMissingTableIsNamedWithTheFix(TestDatabase database) {
    assertThatThrownBy(() -> require(database.dataSource(), "nowhere"))
        .isInstanceOfSatisfying(TableException.class, e -> assertThat(e.isMissing()).isTrue())
        .hasMessage(
            "table nowhere must exist but was not found; create it with createTables(), or with"
                + " letters/schema/%s.sql",
            database.kind().name().toLowerCase(Locale.ROOT));
  }

  @EachDatabase
  void missingColumnsAreNamed(TestDatabase database) throws SQLException {
    String table = good(database);
    execute(database, "ALTER TABLE " + table + " DROP COLUMN note");
    execute(database, "ALTER TABLE " + table + " DROP COLUMN seen");

    assertThat(problem(() -> require(database.dataSource(), table)))
        .startsWith(
            "table " + table + " lacks the columns note, seen; add them as in letters/schema/");
  }

  @EachDatabase
  void aMomentWithAZoneIsRefused(TestDatabase database) throws SQLException {
    DatabaseKind kind = database.kind();
    String table = table(database, ZONED.get(kind), "SMALLINT", BYTES.get(kind));

    assertThat(problem(() -> require(database.dataSource(), table)))
        .startsWith(
            "column sent_at of table %s must be %s but is ".formatted(table, MOMENT.get(kind)))
        .containsIgnoringCase(kind == DatabaseKind.POSTGRESQL ? "timestamptz" : "TIMESTAMP")
        .contains("; change its type to the one in letters/schema/");
  }

  @EachDatabase
  void aMomentWithoutMicrosecondsIsRefused(TestDatabase database) throws SQLException {
    DatabaseKind kind = database.kind();
    String right = MOMENT.get(kind);
    for (int digits : new int[] {0, 3}) {
      String found = right.replace("6", String.valueOf(digits));
      String table = table(database, found, "SMALLINT", BYTES.get(kind));
      assertThat(problem(() -> require(database.dataSource(), table)))
          .startsWithIgnoringCase(
              "column sent_at of table %s must be %s but is %s;".formatted(table, right, found));
    }
  }

  @EachDatabase
  void allColumnsOfOtherTypesAreNamedAtOnce(TestDatabase database) throws SQLException {
    String table = table(database, "DATE", "VARCHAR(9)", "VARCHAR(9)");

    assertThat(problem(() -> require(database.dataSource(), table)))
        .contains(
            "column status of table " + table + " must be a number but is ",
            "column sent_at of table " + table + " must be ",
            "column body of table " + table + " must be bytes but is ");
  }

  @EachDatabase
  void aMissingRightIsNamedWithTheGrant(TestDatabase database) throws SQLException {
    String table = good(database);
    for (Right lacking : new Right[] {Right.INSERT, Right.UPDATE, Right.DELETE}) {
      String user = user();
      String granted =
          Arrays.stream(Right.values())
              .filter(right -> right != lacking)
              .map(Right::name)
              .collect(Collectors.joining(", "));
      DataSource limited = database.dataSourceOf(user, granted + " ON " + table);

      assertThat(problem(() -> require(limited, table)))
          .containsIgnoringCase("user " + user)
          .contains(
              " lacks the right to %s on table %s; run GRANT %s ON %s TO "
                  .formatted(lacking, table, lacking, table))
          .containsIgnoringCase(" TO " + user);
    }
  }

  @EachDatabase
  void aUserWithoutAnyRightIsToldSo(TestDatabase database) throws SQLException {
    String table = good(database);
    String user = user();
    String other = good(database);
    DataSource limited = database.dataSourceOf(user, "SELECT ON " + other);

    assertThat(problem(() -> require(limited, table)))
        .contains(" lacks the right to SELECT", "on table " + table, "GRANT SELECT");
  }

  @EachDatabase
  void aTableThatNeedsNoRightMayBeHidden(TestDatabase database) throws SQLException {
    String table = good(database);
    DataSource limited = database.dataSourceOf(user(), "SELECT ON " + good(database));
    try (Connection connection = limited.getConnection()) {
      TableCheck.of(TableName.of(table), "createTables()", "letters/schema")
          .columns(ColumnKind.TEXT, "id")
          .require(connection, Dialect.of(connection));
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void aTableFurtherDownTheSearchPathIsThere(TestDatabase database) throws SQLException {
    String table = good(database);
    try (Connection connection = database.connect()) {
      execute(connection, "CREATE SCHEMA nearer");
      execute(connection, "SET search_path = nearer, public");

      check(table).require(connection, Dialect.of(connection));
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void aTypeThatUsersHaveDefinedIsLeftToThem(TestDatabase database) throws SQLException {
    execute(database, "CREATE DOMAIN state AS SMALLINT");

    require(database.dataSource(), table(database, "TIMESTAMP(6)", "state", "BYTEA"));
  }

  @EachDatabase
  void aConnectionThatDoesNotCommitIsLeftWithoutATransaction(TestDatabase database)
      throws SQLException {
    String table = good(database);
    DataSource limited = database.dataSourceOf(user(), "SELECT, INSERT ON " + table);
    try (Connection connection = limited.getConnection()) {
      connection.setAutoCommit(false);
      Dialect dialect = Dialect.of(connection);

      assertThat(problem(() -> check(table).require(connection, dialect)))
          .contains("GRANT UPDATE, DELETE ON " + table);
      try (Sql sql = dialect.sql(connection, "SELECT COUNT(*) FROM " + table)) {
        assertThat(sql.first(Row::intValue)).contains(0);
      }
      connection.rollback();
    }
  }

  @Test
  void aDatabaseThatCannotBeReachedIsTold() {
    for (String state : new String[] {"08001", "28000", "3D000", "53300", "57P03"}) {
      SQLException down = new SQLException("down", state);
      assertThat(Unreachable.isCauseOf(new IllegalStateException(down))).as(state).isTrue();
    }
    assertThat(Unreachable.isCauseOf(new SQLException("no table", "42P01"))).isFalse();
    assertThat(Unreachable.isCauseOf(new SQLException("no state"))).isFalse();
    assertThat(Unreachable.isCauseOf(new IllegalStateException())).isFalse();
  }

  private static String user() {
    return "app_" + ProcessHandle.current().pid() + "_" + NUMBER.incrementAndGet();
  }
}
