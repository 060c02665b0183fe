package holdfast.jdbc;

import static holdfast.jdbc.Databases.allAtOnce;
import static holdfast.jdbc.Databases.count;
import static holdfast.jdbc.Databases.execute;
import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;

/** Each claim of a dialect, tried on the database it is about. */
class DialectCapabilityTest {

  private static final String UNIQUE_VIOLATION = "23505";

  @EachDatabase
  void aSecondTransactionPassesOverLockedRowsAsClaimed(TestDatabase database) throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    execute(
        database,
        "CREATE TABLE locked (id INT PRIMARY KEY)",
        "INSERT INTO locked VALUES (1), (2), (3)");
    String claim = "SELECT id FROM locked ORDER BY id LIMIT ? " + dialect.lockingClause();

    assertThat(dialect.supportsSkipLocked()).isTrue();
    try (Connection one = database.connect();
        Connection two = database.connect()) {
      one.setAutoCommit(false);
      two.setAutoCommit(false);
      try (Sql first = dialect.sql(one, claim);
          Sql second = dialect.sql(two, claim)) {
        assertThat(first.bind(1).list(Row::intValue)).containsExactly(1);
        assertThat(second.bind(5).list(Row::intValue)).containsExactly(2, 3);
      }
      one.rollback();
      two.rollback();
    }
  }

  @EachDatabase
  void updateHandsRowsBackWhereClaimed(TestDatabase database) throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    execute(
        database,
        "CREATE TABLE returned (id INT PRIMARY KEY, n INT)",
        "INSERT INTO returned VALUES (7, 1)");

    assertThat(works(database, "UPDATE returned SET n = n + 1 RETURNING id"))
        .isEqualTo(dialect.supportsUpdateReturning());
  }

  @EachDatabase
  void indexesOfSomeRowsCanBeMadeWhereClaimed(TestDatabase database) throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    execute(database, "CREATE TABLE indexed (id INT PRIMARY KEY, n INT)");

    assertThat(works(database, "CREATE INDEX indexed_some ON indexed (n) WHERE n = 0"))
        .isEqualTo(dialect.supportsPartialIndex());
  }

  @EachDatabase
  void upsertInsertsAndThenReplaces(TestDatabase database) throws SQLException {
    execute(
        database,
        "CREATE TABLE upserted (a INT, b VARCHAR(9), n INT, s VARCHAR(9), PRIMARY KEY (a, b))");
    Dialect dialect = Dialect.of(database.dataSource());
    String upsert =
        dialect.upsert(TableName.of("upserted"), List.of("n", "a", "b", "s"), List.of("a", "b"));

    try (Connection connection = database.connect();
        Sql sql = dialect.sql(connection, upsert)) {
      sql.bind(1).bind(10).bind("x").bind("old").update();
      sql.bind(2).bind(10).bind("x").bind("new").update();
      sql.bind(3).bind(10).bind("y").bind("other").update();
      try (Sql rows = dialect.sql(connection, "SELECT b, n, s FROM upserted ORDER BY b")) {
        assertThat(rows.list(row -> row.string() + row.intValue() + row.string()))
            .containsExactly("x2new", "y3other");
      }
    }
  }

  @EachDatabase
  void upsertOfKeysAloneLeavesOneRow(TestDatabase database) throws SQLException {
    execute(database, "CREATE TABLE keys_only (a INT PRIMARY KEY)");
    Dialect dialect = Dialect.of(database.dataSource());
    String upsert = dialect.upsert(TableName.of("keys_only"), List.of("a"), List.of("a"));

    try (Connection connection = database.connect();
        Sql sql = dialect.sql(connection, upsert)) {
      sql.bind(1).update();
      sql.bind(1).update();
    }
    assertThat(count(database, "keys_only")).isEqualTo(1);
  }

  @EachDatabase
  void upsertsOfOneKeyByManyThreadsLeaveOneRow(TestDatabase database) throws Exception {
    execute(database, "CREATE TABLE upserted_at_once (a INT PRIMARY KEY, n INT)");
    Dialect dialect = Dialect.of(database.dataSource());
    TableName table = TableName.of("upserted_at_once");
    String upsert = dialect.upsert(table, List.of("a", "n"), List.of("a"));

    Callable<Integer> task =
        () -> {
          try (Connection connection = database.connect();
              Sql sql = dialect.sql(connection, upsert)) {
            return sql.bind(1).bind(2).update();
          }
        };
    allAtOnce(Collections.nCopies(8, task));

    assertThat(count(database, "upserted_at_once")).isEqualTo(1);
  }

  @EachDatabase
  void insertIfAbsentCountsOneAndThenZeroAndKeepsTheFirst(TestDatabase database)
      throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    String bytes = database.kind() == DatabaseKind.POSTGRESQL ? "BYTEA" : "VARBINARY(9)";
    execute(
        database,
        "CREATE TABLE absent (n INT, a INT, b VARCHAR(9), j %s, y %s, PRIMARY KEY (a, b))"
            .formatted(dialect.jsonType(), bytes));
    String insert =
        dialect.insertIfAbsent(
            TableName.of("absent"), List.of("n", "a", "b", "j", "y"), List.of("a", "b"));
    byte[] notText = {-1, 0, -2};

    try (Connection connection = database.connect();
        Sql sql = dialect.sql(connection, insert)) {
      assertThat(sql.bind(1).bind(5).bind("k").bindJson("[1]").bind(notText).update()).isOne();
      assertThat(sql.bind(2).bind(5).bind("k").bindJson("[2]").bind(notText).update()).isZero();
      assertThat(sql.bind(3).bind(6).bind("k").bindJson(null).bind((byte[]) null).update()).isOne();
      try (Sql rows = dialect.sql(connection, "SELECT n, j, y FROM absent WHERE a = ?")) {
        assertThat(rows.bind(5).first(Row::intValue)).contains(1);
        assertThat(rows.bind(5).first(row -> row.at("j").json())).contains("[1]");
        assertThat(rows.bind(5).first(row -> row.at("y").bytes())).contains(notText);
        assertThat(rows.bind(6).first(row -> row.at("j").jsonOrNull() == null)).contains(true);
      }
    }
  }

  @EachDatabase
  void insertIfAbsentByManyThreadsInsertsOnce(TestDatabase database) throws Exception {
    execute(database, "CREATE TABLE absent_at_once (a INT PRIMARY KEY, n INT)");
    Dialect dialect = Dialect.of(database.dataSource());
    TableName table = TableName.of("absent_at_once");
    String insert = dialect.insertIfAbsent(table, List.of("a", "n"), List.of("a"));

    for (int round = 0; round < 20; round++) {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int node = 0; node < 4; node++) {
        int key = round;
        int value = node;
        tasks.add(() -> insertInTransaction(database, dialect, insert, key, value));
      }
      assertThat(allAtOnce(tasks)).containsExactlyInAnyOrder(1, 0, 0, 0);
    }
  }

  private static int insertInTransaction(
      TestDatabase database, Dialect dialect, String insert, int key, int value)
      throws SQLException {
    try {
      return Transactions.of(database.dataSource())
          .call(
              connection -> {
                try (Sql sql = dialect.sql(connection, insert)) {
                  return sql.bind(key).bind(value).update();
                }
              });
    } catch (SQLException e) {
      if (database.kind() == DatabaseKind.H2 && UNIQUE_VIOLATION.equals(e.getSQLState())) {
        return 0; // documented: H2 may refuse the row instead of counting 0
      }
      throw e;
    }
  }

  @EachDatabase
  void theLargestInsertWorks(TestDatabase database) throws SQLException {
    execute(database, "CREATE TABLE wide (a INT, b INT, c INT)");
    insertLargest(database, "wide", List.of("a", "b", "c"), 1_000);
  }

  @EachDatabase
  void theLargestInsertOfManyColumnsStaysWithinTheParameterLimit(TestDatabase database)
      throws SQLException {
    List<String> columns = new ArrayList<>();
    for (int number = 0; number < 150; number++) {
      columns.add("c" + number);
    }
    execute(database, "CREATE TABLE wider (" + String.join(" INT, ", columns) + " INT)");
    insertLargest(database, "wider", columns, database.kind() == DatabaseKind.H2 ? 666 : 436);
  }

  private static void insertLargest(
      TestDatabase database, String table, List<String> columns, int expectedRows)
      throws SQLException {
    Dialect dialect = Dialect.of(database.dataSource());
    int rows = dialect.maxRowsPerInsert(columns.size());
    assertThat(rows).isEqualTo(expectedRows);

    try (Connection connection = database.connect();
        Sql sql = dialect.sql(connection, dialect.insert(TableName.of(table), columns, rows))) {
      for (int value = 0; value < rows * columns.size(); value++) {
        sql.bind(value);
      }
      assertThat(sql.update()).isEqualTo(rows);
    }
    assertThat(count(database, table)).isEqualTo(rows);
  }

  private static boolean works(TestDatabase database, String statement) {
    try {
      execute(database, statement);
      return true;
    } catch (SQLException e) {
      return false;
    }
  }
}
