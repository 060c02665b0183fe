package holdfast.testkit.db;

import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** PostgreSQL: databases are made from its empty template. Safe for use by many threads. */
final class PostgresqlEngine implements Engine {

  /** The database to be connected to while another is made or dropped. */
  private static final String ALWAYS_THERE = "postgres";

  @Override
  public String user() {
    return "postgres";
  }

  @Override
  public String password() {
    return "postgres";
  }

  @Override
  public String url(String host, int port, String database) {
    return "jdbc:postgresql://%s:%d/%s".formatted(host, port, database);
  }

  @Override
  public DataSource dataSource(String url, String user, String password) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setURL(url);
    dataSource.setUser(user);
    dataSource.setPassword(password);
    return dataSource;
  }

  @Override
  public String createUser(String user, String password) {
    return "CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(user, password);
  }

  @Override
  public void create(String host, int port, String database) throws SQLException {
    run(url(host, port, ALWAYS_THERE), List.of("CREATE DATABASE " + database));
  }

  @Override
  public void drop(String host, int port, String database) throws SQLException {
    run(url(host, port, ALWAYS_THERE), List.of("DROP DATABASE " + database + " WITH (FORCE)"));
  }
}
