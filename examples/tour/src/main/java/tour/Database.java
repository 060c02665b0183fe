package tour;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.h2.tools.Server;

/**
 * The database of the tour, which another process can use too: H2 in memory behind a port, or a
 * PostgreSQL. Safe for use by many threads.
 */
final class Database implements AutoCloseable {
  private static final int CONNECTIONS = 16;

  private final String name;
  private final String url;
  private final String user;
  private final Closeable server;
  private final HikariDataSource pool;

  private Database(String name, String url, String user, Closeable server) {
    this.name = name;
    this.url = url;
    this.user = user;
    this.server = server;
    this.pool = pool(url, user);
  }

  static Database h2() throws SQLException {
    // Loopback only, whatever the name of this machine leads to.
    System.setProperty("h2.bindAddress", "127.0.0.1");
    Server server = Server.createTcpServer("-tcpPort", "0", "-tcpDaemon", "-ifNotExists").start();
    String url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:tour;DB_CLOSE_DELAY=-1";
    return new Database("H2", url, "sa", server::stop);
  }

  static Database postgres() throws IOException {
    EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setOutputRedirector(Redirect.DISCARD)
            .setErrorRedirector(Redirect.DISCARD)
            .start();
    String url = "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres";
    return new Database("PostgreSQL", url, "postgres", server);
  }

  static HikariDataSource pool(String url, String user) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword("");
    config.setMaximumPoolSize(CONNECTIONS);
    return new HikariDataSource(config);
  }

  /** What people call it. */
  String name() {
    return name;
  }

  String url() {
    return url;
  }

  String user() {
    return user;
  }

  DataSource dataSource() {
    return pool;
  }

  @Override
  public void close() throws IOException {
    pool.close();
    server.close();
  }
}
