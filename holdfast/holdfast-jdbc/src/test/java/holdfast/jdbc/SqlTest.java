package holdfast.jdbc;

import static holdfast.jdbc.Databases.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class SqlTest {

  private static final String FIND = "SELECT n FROM numbers WHERE id = ?";
  private static final String RENUMBER = "UPDATE numbers SET n = ? WHERE id = ?";

  private Dialect dialect;
  private Connection connection;

  @BeforeEach
  void createTable(TestDatabase database) throws SQLException {
    dialect = Dialect.of(database.dataSource());
    connection = database.connect();
    execute(
        connection,
        "DROP TABLE IF EXISTS numbers",
        "CREATE TABLE numbers (id INT PRIMARY KEY, n INT)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @EachDatabase
  void aQueryWithoutRowsGivesNothing() throws SQLException {
    try (Sql sql = dialect.sql(connection, FIND)) {
      assertThat(sql.bind(1).first(Row::string)).isEmpty();
      assertThat(sql.bind(1).list(Row::string)).isEmpty();
    }
  }

  @EachDatabase
  void firstReadsNoMoreThanOneRow() throws SQLException {
    add(1);
    add(2);
    try (Sql sql = dialect.sql(connection, "SELECT id FROM numbers ORDER BY id")) {
      assertThat(sql.first(Row::intValue)).contains(1);
      assertThat(sql.list(Row::intValue)).containsExactly(1, 2);
    }
  }

  @EachDatabase
  void aNumberOrFlagThatIsAbsentIsBoundAsNull() throws SQLException {
    execute(
        connection,
        "DROP TABLE IF EXISTS absent",
        "CREATE TABLE absent (id INT, i INT, l BIGINT, b BOOLEAN)");
    Integer i = 5;
    try (Sql sql = dialect.sql(connection, "INSERT INTO absent VALUES (?, ?, ?, ?)")) {
      sql.bind(1).bind((Integer) null).bind((Long) null).bind((Boolean) null).update();
      sql.bind(2).bind(i).bind(Long.valueOf(6)).bind(Boolean.TRUE).update();
    }
    try (Sql sql = dialect.sql(connection, "SELECT i, l, b FROM absent ORDER BY id")) {
      assertThat(sql.list(row -> row.intOrNull() + " " + row.longOrNull() + " " + row.boolOrNull()))
          .containsExactly("null null null", "5 6 true");
    }
  }

  @EachDatabase
  void aStatementCanBeUsedAgainAfterAFailedBatch() throws SQLException {
    add(1);
    try (Sql sql = dialect.sql(connection, "INSERT INTO numbers VALUES (?, 0)")) {
      sql.bind(1).addBatch();
      assertThatThrownBy(sql::updateBatch).isInstanceOf(SQLException.class);
      assertThat(sql.bind(2).update()).isOne();
    }
  }

  @EachDatabase
  void updateTellsHowManyRowsItTouched() throws SQLException {
    add(1);
    try (Sql sql = dialect.sql(connection, RENUMBER)) {
      assertThat(sql.bind(8).bind(1).update()).isOne();
      assertThat(sql.bind(8).bind(1).update()).as("touched, though not changed").isOne();
      assertThat(sql.bind(8).bind(2).update()).isZero();
    }
  }

  @EachDatabase
  void aBatchTellsForEachRowWhatItTouched() throws SQLException {
    add(1);
    add(2);
    try (Sql sql = dialect.sql(connection, RENUMBER)) {
      sql.bind(8).bind(1).addBatch();
      sql.bind(8).bind(3).addBatch();
      sql.bind(8).bind(2).addBatch();
      BatchCounts counts = sql.updateBatch();

      assertThat(counts.size()).isEqualTo(3);
      assertThat(counts.areAllKnown()).isTrue();
      assertThat(counts.at(0)).hasValue(1);
      assertThat(counts.at(1)).hasValue(0);
      assertThat(counts.at(2)).hasValue(1);
      assertThat(counts).hasToString("[1, 0, 1]");
      assertThat(sql.updateBatch().size()).as("an empty batch").isZero();
      assertThat(sql.bind(9).bind(1).update()).as("after a batch").isOne();
    }
  }

  @EachDatabase
  void tooFewValuesAreRefused() throws SQLException {
    try (Sql sql = dialect.sql(connection, RENUMBER)) {
      sql.bind(1);
      String message =
          "statement must have a value for each of its 2 placeholders but 1 were bound: "
              + RENUMBER;
      for (SqlCall call :
          List.<SqlCall>of(
              sql::update, sql::addBatch, () -> sql.list(Row::string), sql::updateForKey)) {
        assertThatThrownBy(call::run).isInstanceOf(IllegalStateException.class).hasMessage(message);
      }
    }
  }

  @EachDatabase
  void tooManyValuesAreRefused() throws SQLException {
    try (Sql sql = dialect.sql(connection, RENUMBER)) {
      sql.bind(1).bind(1);
      assertThatThrownBy(() -> sql.bind(1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "statement must have a value for each of its 2 placeholders but 3 were bound: "
                  + RENUMBER);
    }
  }

  @EachDatabase
  void aBatchMustBeCompleteAndRunAsOne() throws SQLException {
    try (Sql sql = dialect.sql(connection, RENUMBER)) {
      sql.bind(1).bind(1).addBatch().bind(2).bind(2);
      assertThatThrownBy(sql::updateBatch)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("every row must be added before its batch runs but 2 values");
      assertThatThrownBy(sql::update)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith(
              "a statement must have no batch to run by itself but 1 rows wait");
    }
  }

  @EachDatabase
  void failuresPassThroughWithTheStatementAdded() throws SQLException {
    add(1);
    Throwable plain =
        catchThrowable(() -> execute(connection, "INSERT INTO numbers (id) VALUES (1)"));
    String insert = "INSERT INTO numbers (id) VALUES (?)";
    try (Sql sql = dialect.sql(connection, insert)) {
      sql.bind(1);
      Throwable failure = catchThrowable(sql::update);

      assertThat(failure).hasSameClassAs(plain);
      assertThat(((SQLException) failure).getSQLState())
          .isEqualTo(((SQLException) plain).getSQLState())
          .startsWith("23");
      assertThat(((SQLException) failure).getErrorCode())
          .isEqualTo(((SQLException) plain).getErrorCode());
      assertThat(failure.getSuppressed()).anySatisfy(added -> assertThat(added).hasMessage(insert));
    }
  }

  @EachDatabase
  void generatedKeysComeBackInOrder(TestDatabase database) throws SQLException {
    execute(
        connection,
        "DROP TABLE IF EXISTS numbered",
        database.kind() == DatabaseKind.MARIADB
            ? "CREATE TABLE numbered (id BIGINT AUTO_INCREMENT PRIMARY KEY, n INT)"
            : "CREATE TABLE numbered (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n INT)");
    String insert = "INSERT INTO numbered (n) VALUES (?)";
    String keyName = "Id"; // the database folds a name that is not quoted, and so must we

    try (Sql sql = dialect.sqlReturningKeys(connection, insert, keyName);
        Sql find = dialect.sql(connection, "SELECT id FROM numbered WHERE n = ?")) {
      long key = sql.bind(10).updateForKey();
      List<Long> keys =
          sql.bind(11).addBatch().bind(12).addBatch().bind(13).addBatch().updateBatchForKeys();

      assertThat(find.bind(10).first(Row::longValue)).contains(key);
      for (int n = 11; n <= 13; n++) {
        assertThat(find.bind(n).first(Row::longValue)).contains(keys.get(n - 11));
      }
      assertThat(sql.updateBatchForKeys()).isEmpty();
    }
  }

  @EachDatabase
  void keysMustHaveBeenAskedFor() throws SQLException {
    try (Sql sql = dialect.sql(connection, RENUMBER)) {
      sql.bind(1).bind(1);
      assertThatThrownBy(sql::updateForKey)
          .isInstanceOfAny(IllegalStateException.class, SQLException.class);
    }
  }

  private void add(int id) throws SQLException {
    execute(connection, "INSERT INTO numbers (id, n) VALUES (%d, 0)".formatted(id));
  }

  private interface SqlCall {
    Object run() throws SQLException;
  }
}
