package holdfast.testkit.db;

import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;

/** H2 in memory: a database comes to be with its first connection. Safe for use by many threads. */
final class H2Engine implements Engine {

  @Override
  public String user() {
    return "sa";
  }

  @Override
  public String password() {
    return "";
  }

  @Override
  public String url(String host, int port, String database) {
    return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
  }

  @Override
  public DataSource dataSource(String url, String user, String password) {
    JdbcDataSource dataSource = new JdbcDataSource();
    // Settings are for those who may do everything; they stay as the first connection has set them.
    dataSource.setURL(user.equals(user()) ? url : url.substring(0, url.indexOf(';')));
    dataSource.setUser(user);
    dataSource.setPassword(password);
    return dataSource;
  }

  @Override
  public String createUser(String user, String password) {
    return "CREATE USER %s PASSWORD '%s'".formatted(user, password);
  }

  @Override
  public void create(String host, int port, String database) throws SQLException {
    run(url(host, port, database), List.of());
  }

  @Override
  public void drop(String host, int port, String database) throws SQLException {
    run(url(host, port, database), List.of("SHUTDOWN"));
  }
}
