package holdfast.jdbc;

import static holdfast.jdbc.Databases.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.Driver;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.TimeZone;

/** MySQL's driver on a MariaDB server: it proves the driver, not MySQL's own server. */
class MySqlDriverTest {

  @EachDatabase(DatabaseKind.MARIADB)
  void findsMariaDbBehindMySqlsDriver(TestDatabase database) throws SQLException {
    try (Connection connection = connect(database)) {
      assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("MySQL");
      assertThat(Dialect.of(connection).name()).isEqualTo("mariadb");
      assertThat(Dialect.of(connection).supportsSkipLocked()).isTrue();
    }
  }

  @EachDatabase(DatabaseKind.MARIADB)
  void aMomentWithoutMicrosecondsIsRefused(TestDatabase database) throws SQLException {
    execute(database, "CREATE TABLE exact_at (at DATETIME(6))");
    execute(database, "CREATE TABLE rounded_at (at DATETIME)");
    try (Connection connection = connect(database)) {
      moments("exact_at").require(connection, Dialect.named("mysql"));
      assertThatThrownBy(() -> moments("rounded_at").require(connection, Dialect.named("mysql")))
          .isInstanceOf(TableException.class)
          .hasMessageContaining(
              "column at of table rounded_at must be DATETIME(6) but is DATETIME(0)");
    }
  }

  private static TableCheck moments(String table) {
    return TableCheck.of(TableName.of(table), "createTables()", "letters/schema")
        .columns(ColumnKind.MOMENT, "at");
  }

  @EachDatabase(DatabaseKind.MARIADB)
  void instantsComeBackWhateverTheZones(TestDatabase database) throws SQLException {
    execute(database, "CREATE TABLE at_mysql (id INT PRIMARY KEY, at DATETIME(6))");
    Dialect dialect = Dialect.named("mysql");
    TimeZone zone = TimeZone.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("America/New_York"));
      try (Connection connection = connect(database)) {
        InstantsTest.write(connection, dialect, "at_mysql");
        execute(connection, "SET time_zone = '+09:00'");
        TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
        assertThat(InstantsTest.read(connection, dialect, "at_mysql"))
            .isEqualTo(InstantsTest.INSTANTS);
      }
      try (Connection connection = database.connect()) {
        assertThat(InstantsTest.read(connection, dialect, "at_mysql"))
            .as("read by MariaDB's driver")
            .isEqualTo(InstantsTest.INSTANTS);
      }
    } finally {
      TimeZone.setDefault(zone);
    }
  }

  @EachDatabase(DatabaseKind.MARIADB)
  void jsonComesBack(TestDatabase database) throws SQLException {
    JsonTest.create(database, "mysql_documents", "JSON");
    try (Connection connection = connect(database)) {
      assertThat(
              JsonTest.writtenAndRead(
                  connection, Dialect.named("mysql"), "mysql_documents", JsonTest.DOCUMENTS))
          .isEqualTo(JsonTest.DOCUMENTS);
    }
  }

  @EachDatabase(DatabaseKind.MARIADB)
  void rowsAreInsertedOnceAndKeysComeBack(TestDatabase database) throws SQLException {
    execute(
        database, "CREATE TABLE mysql_keys (id BIGINT AUTO_INCREMENT PRIMARY KEY, n INT UNIQUE)");
    Dialect dialect = Dialect.named("mysql");
    TableName table = TableName.of("mysql_keys");
    String insert = dialect.insertIfAbsent(table, List.of("n"), List.of("n"));
    String upsert = dialect.upsert(table, List.of("id", "n"), List.of("id"));
    try (Connection connection = connect(database);
        Sql insertIfAbsent = dialect.sql(connection, insert);
        Sql keys =
            dialect.sqlReturningKeys(connection, dialect.insert(table, List.of("n"), 1), "id");
        Sql replace = dialect.sql(connection, upsert);
        Sql read = dialect.sql(connection, "SELECT n FROM mysql_keys WHERE id = ?")) {
      assertThat(insertIfAbsent.bind(1).update()).isOne();
      assertThat(insertIfAbsent.bind(1).update()).isZero();
      List<Long> generated = keys.bind(2).addBatch().bind(3).addBatch().updateBatchForKeys();
      replace.bind(generated.get(1)).bind(4).update();

      assertThat(read.bind(generated.get(0)).first(Row::intValue)).contains(2);
      assertThat(read.bind(generated.get(1)).first(Row::intValue)).contains(4);
    }
  }

  @EachDatabase(DatabaseKind.MARIADB)
  void unknownCountsOfRewrittenBatchesAreToldAsUnknown(TestDatabase database) throws SQLException {
    execute(database, "CREATE TABLE mysql_batch (n INT)");
    Dialect dialect = Dialect.named("mysql");
    try (Connection connection = connect(database, "&rewriteBatchedStatements=true");
        Sql sql = dialect.sql(connection, "INSERT INTO mysql_batch (n) VALUES (?)")) {
      BatchCounts counts = sql.bind(1).addBatch().bind(2).addBatch().updateBatch();

      assertThat(counts.size()).isEqualTo(2);
      assertThat(counts.areAllKnown()).isFalse();
      assertThat(counts.at(0)).isEmpty();
    }
  }

  @EachDatabase(DatabaseKind.MARIADB)
  void schemasAreCreatedUnderItsLock(TestDatabase database) throws SQLException {
    try (Connection connection = connect(database)) {
      SchemaScript script =
          SchemaScript.load(MySqlDriverTest.class, "holdfast/jdbc/schema", Dialect.of(connection))
              .with("letters", TableName.of("mysql_schema"));

      script.createIfMissing(OneConnection.of(connection));
      script.createIfMissing(OneConnection.of(connection));
    }

    assertThat(Databases.count(database, "mysql_schema")).isZero();
  }

  private static Connection connect(TestDatabase database, String... options) throws SQLException {
    Properties login = new Properties();
    login.setProperty("user", database.user());
    login.setProperty("password", database.password());
    String url =
        "jdbc:mysql://%s:%d/%s?sslMode=DISABLED"
            .formatted(database.host(), database.port(), database.name());
    return new Driver().connect(url + String.join("", options), login);
  }
}
