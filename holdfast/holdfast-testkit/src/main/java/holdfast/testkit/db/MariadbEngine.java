package holdfast.testkit.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;

/** MariaDB: databases hold all of Unicode. Safe for use by many threads. */
final class MariadbEngine implements Engine {

  private static final String CONNECTED_TO =
      """
      SELECT id
        FROM information_schema.processlist
       WHERE db = ?
      """;

  private static final int NO_SUCH_CONNECTION = 1094;

  @Override
  public String user() {
    return "root";
  }

  @Override
  public String password() {
    return "";
  }

  @Override
  public String url(String host, int port, String database) {
    return "jdbc:mariadb://%s:%d/%s?sslMode=disable".formatted(host, port, database);
  }

  @Override
  public DataSource dataSource(String url, String user, String password) throws SQLException {
    MariaDbDataSource dataSource = new MariaDbDataSource(url);
    dataSource.setUser(user);
    dataSource.setPassword(password);
    return dataSource;
  }

  @Override
  public String createUser(String user, String password) {
    return "CREATE USER %s IDENTIFIED BY '%s'".formatted(user, password);
  }

  @Override
  public void create(String host, int port, String database) throws SQLException {
    run(url(host, port, ""), List.of("CREATE DATABASE " + database + " CHARACTER SET utf8mb4"));
  }

  @Override
  public void drop(String host, int port, String database) throws SQLException {
    String server = url(host, port, "");
    // A drop waits for open transactions, for a day by default: end them first, and do not wait
    // long for one that began in between.
    for (long connection : connectedTo(server, database)) {
      kill(server, connection);
    }
    run(server, List.of("SET SESSION lock_wait_timeout = 30", "DROP DATABASE " + database));
  }

  private List<Long> connectedTo(String server, String database) throws SQLException {
    try (Connection connection = dataSource(server).getConnection();
        PreparedStatement query = connection.prepareStatement(CONNECTED_TO)) {
      query.setString(1, database);
      List<Long> ids = new ArrayList<>();
      try (ResultSet rows = query.executeQuery()) {
        while (rows.next()) {
          ids.add(rows.getLong(1));
        }
      }
      return ids;
    }
  }

  private void kill(String server, long connection) throws SQLException {
    try {
      run(server, List.of("KILL CONNECTION " + connection));
    } catch (SQLException e) {
      // It ended by itself in the meantime.
      if (e.getErrorCode() != NO_SUCH_CONNECTION) {
        throw e;
      }
    }
  }
}
