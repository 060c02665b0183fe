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
  public DataSource dataSource(String url) {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL(url);
    dataSource.setUser(user());
    dataSource.setPassword(password());
    return dataSource;
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
