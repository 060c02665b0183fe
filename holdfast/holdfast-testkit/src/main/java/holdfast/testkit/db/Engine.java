package holdfast.testkit.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;

/**
 * How one kind of database is reached, created and dropped. Safe for use by many threads: it holds
 * nothing.
 */
sealed interface Engine permits H2Engine, MariadbEngine, PostgresqlEngine {

  /** The user that may do everything. */
  String user();

  /** That user's password. */
  String password();

  /** The JDBC URL of a database, on the server at an address where there is one. */
  String url(String host, int port, String database);

  /** The driver's own data source, which opens a connection of that user each time. */
  DataSource dataSource(String url, String user, String password) throws SQLException;

  /** The same for the user that may do everything. */
  default DataSource dataSource(String url) throws SQLException {
    return dataSource(url, user(), password());
  }

  /** The statement that creates a user who may connect and nothing else. */
  String createUser(String user, String password);

  /** Creates an empty database. */
  void create(String host, int port, String database) throws SQLException;

  /** Drops a database, whoever is still connected to it. */
  void drop(String host, int port, String database) throws SQLException;

  /** Runs statements one after the other, in a connection of their own. */
  default void run(String url, List<String> statements) throws SQLException {
    try (Connection connection = dataSource(url).getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
