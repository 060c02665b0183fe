package holdfast.jdbc;

import static holdfast.jdbc.Databases.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class RowTest {

  private static final String ADD =
      """
      INSERT INTO all_types (id, s, i, l, b, y, t, j)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """;
  private static final String FIND =
      """
      SELECT s, i, l, b, y, t, j
        FROM all_types
       WHERE id = ?
      """;
  private static final Instant NOW = Instant.parse("2026-11-15T10:11:12.123456Z");

  private Dialect dialect;
  private Connection connection;

  @BeforeEach
  void createTable(TestDatabase database) throws SQLException {
    dialect = Dialect.of(database.dataSource());
    connection = database.connect();
    execute(
        connection,
        "DROP TABLE IF EXISTS all_types",
        """
        CREATE TABLE all_types (
          id INT PRIMARY KEY, s VARCHAR(50), i INT, l BIGINT, b BOOLEAN, y %s, t %s, j %s)
        """
            .formatted(
                database.kind() == DatabaseKind.POSTGRESQL ? "BYTEA" : "VARBINARY(50)",
                dialect.instantType(),
                dialect.jsonType()));
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @EachDatabase
  void valuesOfAllTypesAreReadInOrder() throws SQLException {
    addFull(1);

    try (Sql sql = dialect.sql(connection, FIND)) {
      List<Object> values =
          sql.bind(1)
              .<List<Object>>first(
                  row ->
                      List.of(
                          row.string(),
                          row.intValue(),
                          row.longValue(),
                          row.bool(),
                          row.bytes(),
                          row.instant(),
                          row.json()))
              .orElseThrow();
      assertThat(values)
          .usingRecursiveComparison()
          .isEqualTo(
              List.of("it's ü 🚀", -7, 1L << 40, true, new byte[] {-1, 0, 1}, NOW, "{\"a\":1}"));
    }
  }

  @EachDatabase
  void valuesAreReadByNameAndOnwardsFromThere() throws SQLException {
    addFull(1);

    try (Sql sql = dialect.sql(connection, FIND)) {
      assertThat(
              sql.bind(1).first(row -> row.at("t").instant() + row.json() + row.at("I").intValue()))
          .contains(NOW + "{\"a\":1}" + -7);
    }
  }

  @EachDatabase
  void nullsOfAllTypesAreReadAsNull() throws SQLException {
    try (Sql sql =
        dialect.sql(connection, "INSERT INTO all_types (id, s, y, t, j) VALUES (?, ?, ?, ?, ?)")) {
      sql.bind(1).bind((String) null).bind((byte[]) null).bind((Instant) null).bindJson(null);
      sql.update();
    }

    try (Sql sql = dialect.sql(connection, FIND)) {
      boolean allNull =
          sql.bind(1)
              .first(
                  row ->
                      row.stringOrNull() == null
                          && row.intOrNull() == null
                          && row.longOrNull() == null
                          && row.boolOrNull() == null
                          && row.bytesOrNull() == null
                          && row.instantOrNull() == null
                          && row.jsonOrNull() == null)
              .orElseThrow();
      assertThat(allNull).isTrue();
    }
  }

  @EachDatabase
  void aNullWhereAValueMustBeNamesTheColumn() throws SQLException {
    execute(connection, "INSERT INTO all_types (id) VALUES (1)");
    List<RowReader<?>> readers =
        List.of(
            Row::string,
            row -> row.at("i").intValue(),
            row -> row.at("l").longValue(),
            row -> row.at("b").bool(),
            row -> row.at("y").bytes(),
            row -> row.at("t").instant(),
            row -> row.at("j").json());

    for (int index = 0; index < readers.size(); index++) {
      RowReader<?> reader = readers.get(index);
      try (Sql sql = dialect.sql(connection, FIND)) {
        sql.bind(1);
        assertThatThrownBy(() -> sql.list(reader))
            .isInstanceOf(SQLDataException.class)
            .hasMessageMatching(
                "(?i)column %d \\(%s\\) must have a value but was NULL; read it with the OrNull variant"
                    .formatted(index + 1, "silbytj".charAt(index)));
      }
    }
  }

  private void addFull(int id) throws SQLException {
    try (Sql sql = dialect.sql(connection, ADD)) {
      sql.bind(id).bind("it's ü 🚀").bind(-7).bind(1L << 40).bind(true);
      sql.bind(new byte[] {-1, 0, 1}).bind(NOW).bindJson("{\"a\":1}").update();
    }
  }
}
