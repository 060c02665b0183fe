package holdfast.jdbc;

import static holdfast.jdbc.Databases.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

class JsonTest {

  /** Documents in the form that no database changes. */
  static final List<String> DOCUMENTS =
      List.of(
          "{\"b\":1,\"a\":[true,false,null,\"x\"]}",
          "[]",
          "\"a text\"",
          "\"it's ? and \\\\ and \\\" and \\n\"",
          "\"Grüße 日本 🚀\"",
          "12345678901234567890",
          "null",
          "\"" + "long ".repeat(20_000) + "\"");

  @EachDatabase
  void documentsComeBackAsTheyWere(TestDatabase database) throws SQLException {
    Dialect dialect = create(database, "documents", Dialect.of(database.dataSource()).jsonType());
    try (Connection connection = database.connect()) {
      assertThat(writtenAndRead(connection, dialect, "documents", DOCUMENTS)).isEqualTo(DOCUMENTS);
    }
  }

  @EachDatabase
  void blanksAndSpellingAreKeptWhereTheDatabaseKeepsThem(TestDatabase database)
      throws SQLException {
    Dialect dialect = create(database, "spelled", Dialect.of(database.dataSource()).jsonType());
    String written = " { \"b\" : 1.0 , \"a\" : \"\\u0041\" , \"zero\" : \"\\u0000\" } ";
    String keptByH2 = "{\"b\":1.0,\"a\":\"A\",\"zero\":\"\\u0000\"}";
    try (Connection connection = database.connect()) {
      assertThat(writtenAndRead(connection, dialect, "spelled", List.of(written)))
          .containsExactly(database.kind() == DatabaseKind.H2 ? keptByH2 : written);
    }
  }

  @EachDatabase
  void documentsAreNestedAsDeepAsClaimed(TestDatabase database) throws SQLException {
    Dialect dialect = create(database, "nested", Dialect.of(database.dataSource()).jsonType());
    int deep = Math.min(dialect.maxJsonDepth(), 100_000);
    List<String> documents =
        List.of(
            "[".repeat(deep) + "]".repeat(deep),
            "[".repeat(deep) + "1" + "]".repeat(deep),
            "{\"a\":".repeat(deep) + "1" + "}".repeat(deep));
    try (Connection connection = database.connect()) {
      assertThat(writtenAndRead(connection, dialect, "nested", documents)).isEqualTo(documents);
      if (database.kind() == DatabaseKind.MARIADB) {
        create(database, "deeper", dialect.jsonType());
        List<String> deeper = List.of("[" + documents.get(0) + "]");
        assertThatThrownBy(() -> writtenAndRead(connection, dialect, "deeper", deeper))
            .isInstanceOf(SQLException.class)
            .hasMessageContaining("CONSTRAINT");
      }
    }
  }

  @EachDatabase
  void nullIsTheDatabasesNullAndNotJsons(TestDatabase database) throws SQLException {
    Dialect dialect = create(database, "nulls", Dialect.of(database.dataSource()).jsonType());
    try (Connection connection = database.connect();
        Sql insert = dialect.sql(connection, "INSERT INTO nulls (id, doc) VALUES (?, ?)");
        Sql read = dialect.sql(connection, "SELECT id FROM nulls WHERE doc IS NULL")) {
      insert.bind(1).bindJson(null).update();
      insert.bind(2).bindJson("null").update();
      assertThat(read.list(Row::intValue)).containsExactly(1);
    }
  }

  @EachDatabase
  void whatIsNotJsonIsRefusedByTheDatabase(TestDatabase database) throws SQLException {
    Dialect dialect = create(database, "refused", Dialect.of(database.dataSource()).jsonType());
    try (Connection connection = database.connect();
        Sql insert = dialect.sql(connection, "INSERT INTO refused (id, doc) VALUES (?, ?)")) {
      insert.bind(1).bindJson("{not json");
      assertThatThrownBy(insert::update).isInstanceOf(SQLException.class);
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void canBeBoundToJsonbToo(TestDatabase database) throws SQLException {
    Dialect dialect = create(database, "binary_documents", "jsonb");
    try (Connection connection = database.connect()) {
      assertThat(
              writtenAndRead(connection, dialect, "binary_documents", List.of("{\"b\":1,\"a\":2}")))
          .containsExactly("{\"a\": 2, \"b\": 1}");
    }
  }

  @EachDatabase
  void canBeBoundToTextColumnsToo(TestDatabase database) throws SQLException {
    Dialect dialect = create(database, "text_documents", "VARCHAR(100)");
    List<String> documents = List.of("{\"b\": 1, \"a\": \"ü\"}");
    try (Connection connection = database.connect()) {
      assertThat(writtenAndRead(connection, dialect, "text_documents", documents))
          .isEqualTo(documents);
    }
  }

  static Dialect create(TestDatabase database, String table, String type) throws SQLException {
    execute(database, "CREATE TABLE %s (id INT PRIMARY KEY, doc %s)".formatted(table, type));
    return Dialect.of(database.dataSource());
  }

  static List<String> writtenAndRead(
      Connection connection, Dialect dialect, String table, List<String> documents)
      throws SQLException {
    try (Sql insert =
            dialect.sql(connection, "INSERT INTO %s (id, doc) VALUES (?, ?)".formatted(table));
        Sql read = dialect.sql(connection, "SELECT doc FROM %s ORDER BY id".formatted(table))) {
      for (int id = 0; id < documents.size(); id++) {
        insert.bind(id).bindJson(documents.get(id)).addBatch();
      }
      insert.updateBatch();
      return new ArrayList<>(read.list(Row::json));
    }
  }
}
