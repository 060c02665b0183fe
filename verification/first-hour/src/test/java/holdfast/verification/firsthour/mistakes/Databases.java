package holdfast.verification.firsthour.mistakes;

import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.Disguise;
import holdfast.testkit.db.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Databases as a new user has them: empty, down, unknown, or without a privilege. */
final class Databases {

  private Databases() {}

  /** What is done with a database. */
  @FunctionalInterface
  interface Use {
    String of(TestDatabase database) throws Exception;
  }

  /** Uses an empty H2. */
  static String onH2(Use use) throws Exception {
    return on(DatabaseKind.H2, use);
  }

  /** Uses an empty PostgreSQL. */
  static String onPostgres(Use use) throws Exception {
    return on(DatabaseKind.POSTGRESQL, use);
  }

  private static String on(DatabaseKind kind, Use use) throws Exception {
    try (TestDatabase database = TestDatabase.open(kind)) {
      return use.of(database);
    }
  }

  /** Returns a name for a user that no other test has. */
  static String user() {
    return "shop_" + UUID.randomUUID().toString().replace("-", "");
  }

  static void execute(TestDatabase database, String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Returns a server where nobody listens. */
  static DataSource down() {
    return new DriverManagerDataSource("jdbc:postgresql://localhost:1/shop", "shop", "secret");
  }

  /** Returns the database under the name of a product that no library knows. */
  static DataSource unknown(TestDatabase database) {
    return new AbstractDataSource() {
      @Override
      public Connection getConnection() throws SQLException {
        return Disguise.as("DB2", database);
      }

      @Override
      public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
      }
    };
  }
}
