package holdfast.testkit.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestMethodOrder;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EachDatabaseTest {

  private static final Set<DatabaseKind> SEEN = EnumSet.noneOf(DatabaseKind.class);

  private static final List<TestDatabase> OF_NESTED_CLASS = new ArrayList<>();

  private TestDatabase before;

  @BeforeEach
  void takeTheDatabase(TestDatabase database) {
    before = database;
  }

  @AfterAll
  static void everyKindWasSeen() {
    assertThat(SEEN).containsExactlyInAnyOrder(DatabaseKind.values());
  }

  @AfterAll
  static void theDatabasesOfTheNestedClassAreGone() {
    assertThat(OF_NESTED_CLASS).hasSize(2);
    for (TestDatabase database : OF_NESTED_CLASS) {
      assertThatThrownBy(database::connect).hasMessageContaining(database.name());
    }
  }

  @Order(1)
  @EachDatabase
  void givesAnEmptyDatabaseOfItsKind(TestDatabase database, TestInfo info) throws SQLException {
    SEEN.add(database.kind());
    assertThat(database).isSameAs(before);
    assertThat(info.getDisplayName()).isEqualTo(database.kind().name());
    try (Connection connection = database.connect()) {
      assertThat(connection.getMetaData().getDatabaseProductName())
          .isEqualToIgnoringCase(database.kind().name());
    }
    run(database, "CREATE TABLE seat (id INT PRIMARY KEY)");
    run(database, "INSERT INTO seat VALUES (1)");
  }

  @Order(2)
  @EachDatabase
  void givesAllMethodsOfAClassTheSameDatabase(TestDatabase database) throws SQLException {
    assertThat(count(database, "SELECT count(*) FROM seat")).isEqualTo(1);
  }

  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void runsOnlyForTheKindsItNames(TestDatabase database) {
    assertThat(database.kind()).isNotEqualTo(DatabaseKind.H2);
    assertThat(database.url()).contains(database.host() + ":" + database.port());
    assertThat(database.urlVia("other.test", 99)).contains("//other.test:99/" + database.name());
  }

  @EachDatabase(DatabaseKind.H2)
  void refusesToNameAServerForH2(TestDatabase database) {
    assertThatThrownBy(database::port)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("take POSTGRESQL or MARIADB");
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void keepsWhatPostgresqlAcknowledges(TestDatabase database) throws SQLException {
    assertThat(text(database, "SHOW fsync")).isEqualTo("on");
    assertThat(text(database, "SHOW synchronous_commit")).isEqualTo("on");
    assertThat(count(database, "SHOW max_connections")).isEqualTo(300);
  }

  @EachDatabase(DatabaseKind.MARIADB)
  void keepsWhatMariadbAcknowledges(TestDatabase database) throws SQLException {
    assertThat(count(database, "SELECT @@innodb_flush_log_at_trx_commit")).isEqualTo(1);
    assertThat(count(database, "SELECT @@max_connections")).isEqualTo(300);
    assertThat(text(database, "SELECT @@bind_address")).isEqualTo("127.0.0.1");
  }

  @Nested
  class InAnotherClass {

    @EachDatabase
    void theDatabaseIsAnother(TestDatabase database) throws SQLException {
      run(database, "CREATE TABLE seat (id INT PRIMARY KEY)");
      assertThat(count(database, "SELECT count(*) FROM seat")).isZero();
      if (database.kind() != DatabaseKind.H2) {
        OF_NESTED_CLASS.add(database);
      }
    }
  }

  private static void run(TestDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int count(TestDatabase database, String sql) throws SQLException {
    return Integer.parseInt(text(database, sql));
  }

  private static String text(TestDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
