package holdfast.testkit.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class TestDatabaseTest {

  @EachDatabase
  void isFreshEachTimeItIsOpened(TestDatabase one) throws SQLException {
    try (TestDatabase other = TestDatabase.open(one.kind())) {
      assertThat(other.name()).isNotEqualTo(one.name());
      createTable(one, "fresh");
      createTable(other, "fresh");
    }
  }

  @EachDatabase
  void isReachedByItsUrlUserAndPassword(TestDatabase database) throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(database.url(), database.user(), database.password())) {
      assertThat(connection.isValid(5)).isTrue();
    }
  }

  @EachDatabase
  void isDroppedWithATransactionStillOpenInIt(TestDatabase any) throws SQLException {
    TestDatabase database = TestDatabase.open(any.kind());
    createTable(database, "held");
    try (Connection holder = database.connect();
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      statement.executeUpdate("INSERT INTO held VALUES (1)");
      database.close();
      database.close();
      assertThatThrownBy(() -> statement.executeUpdate("INSERT INTO held VALUES (2)"))
          .isInstanceOf(SQLException.class);
      holder.abort(Runnable::run);
    }
  }

  @EachDatabase({DatabaseKind.POSTGRESQL, DatabaseKind.MARIADB})
  void isGoneOnceClosed(TestDatabase any) throws SQLException {
    TestDatabase database = TestDatabase.open(any.kind());
    database.close();
    assertThatThrownBy(database::connect)
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(database.name());
  }

  @EachDatabase
  void holdsAllOfUnicode(TestDatabase database) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE word (text VARCHAR(20))");
      try (var insert = connection.prepareStatement("INSERT INTO word VALUES (?)")) {
        insert.setString(1, "zwölf 🐚");
        insert.executeUpdate();
      }
      try (var rows = statement.executeQuery("SELECT text FROM word")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getString(1)).isEqualTo("zwölf 🐚");
      }
    }
  }

  private static void createTable(TestDatabase database, String table) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE " + table + " (id INT PRIMARY KEY)");
    }
  }
}
