package holdfast.testkit.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * A database that was empty when it was opened and belongs to nobody else. Safe for use by many
 * threads.
 *
 * <p>Databases of one kind are on one server, which all test JVMs of a build share; an H2 database
 * is in the memory of its own JVM. Nothing is promised about the server's time zone.
 */
public final class TestDatabase implements AutoCloseable {

  private static final String HOST = "127.0.0.1";
  private static final String USER_PASSWORD = "secret";

  private final DatabaseKind kind;
  private final Engine engine;
  private final int port;
  private final String name;
  private final DataSource dataSource;
  private final AtomicBoolean closed = new AtomicBoolean();

  private TestDatabase(DatabaseKind kind, int port, String name) throws SQLException {
    this.kind = kind;
    this.engine = kind.engine();
    this.port = port;
    this.name = name;
    this.dataSource = engine.dataSource(url());
  }

  /**
   * Opens a fresh database, on a server that is started if it is the first of its kind in this
   * build.
   *
   * @throws org.opentest4j.TestAbortedException if this machine cannot run such a server; where
   *     {@code CI} is set, an {@link AssertionError}
   * @throws IllegalStateException if the server does not start
   * @throws SQLException if the server refuses to create the database
   */
  public static TestDatabase open(DatabaseKind kind) throws SQLException {
    int port = kind == DatabaseKind.H2 ? 0 : BuildServers.port(kind);
    String name = "test_" + UUID.randomUUID().toString().replace("-", "");
    TestDatabase database = new TestDatabase(kind, port, name);
    database.engine.create(HOST, port, name);
    return database;
  }

  /** The database's kind. */
  public DatabaseKind kind() {
    return kind;
  }

  /** The database's name on its server. */
  public String name() {
    return name;
  }

  /** The JDBC URL, without user and password. */
  public String url() {
    return engine.url(HOST, port, name);
  }

  /**
   * The JDBC URL by another address, such as that of a proxy before the server.
   *
   * @throws UnsupportedOperationException if the kind is H2
   */
  public String urlVia(String host, int port) {
    requireServer();
    return engine.url(host, port, name);
  }

  /** The user to connect as; may do everything. */
  public String user() {
    return engine.user();
  }

  /** The user's password. */
  public String password() {
    return engine.password();
  }

  /**
   * The address of the server.
   *
   * @throws UnsupportedOperationException if the kind is H2
   */
  public String host() {
    requireServer();
    return HOST;
  }

  /**
   * The port of the server.
   *
   * @throws UnsupportedOperationException if the kind is H2
   */
  public int port() {
    requireServer();
    return port;
  }

  private void requireServer() {
    if (kind == DatabaseKind.H2) {
      throw new UnsupportedOperationException(
          "the kind must have a server but was H2, which is in the memory of this JVM;"
              + " take POSTGRESQL or MARIADB");
    }
  }

  /** The driver's own data source: each connection it gives is a new one. */
  public DataSource dataSource() {
    return dataSource;
  }

  /**
   * The data source of a new user who may do what is granted and nothing else.
   *
   * @param user the user's name, which no other test has
   * @param grants what is granted, such as {@code SELECT, INSERT ON outbox_event}
   * @throws SQLException if the database refuses
   */
  public DataSource dataSourceOf(String user, String... grants) throws SQLException {
    List<String> statements = new ArrayList<>(List.of(engine.createUser(user, USER_PASSWORD)));
    for (String grant : grants) {
      statements.add("GRANT " + grant + " TO " + user);
    }
    engine.run(url(), statements);
    return engine.dataSource(url(), user, USER_PASSWORD);
  }

  /**
   * A new connection.
   *
   * @throws SQLException if the database refuses it
   */
  public Connection connect() throws SQLException {
    return dataSource.getConnection();
  }

  /**
   * Drops the database and ends the connections to it. Does nothing the second time.
   *
   * @throws SQLException if the server refuses
   */
  @Override
  public void close() throws SQLException {
    if (closed.compareAndSet(false, true)) {
      engine.drop(HOST, port, name);
    }
  }

  @Override
  public String toString() {
    return kind + " " + url();
  }
}
