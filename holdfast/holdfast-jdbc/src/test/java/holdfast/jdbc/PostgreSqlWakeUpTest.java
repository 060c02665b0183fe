package holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.DatabaseKind;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.log.CapturedLog;
import holdfast.testkit.net.TcpProxy;
import holdfast.testkit.threads.Eventually;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PostgreSqlWakeUpTest {
  private static final TableName TABLE = TableName.of("app.letters");
  private static final String LIBRARY = "letters";
  private static final String LISTENING =
      " FROM pg_stat_activity WHERE datname = current_database()"
          + " AND query = 'LISTEN holdfast_app_letters'";

  private final List<Node> nodes = new ArrayList<>();

  /** A node, and how often it was woken: the first time when it begins to listen. */
  private static final class Node {
    final AtomicInteger woken = new AtomicInteger();
    final PostgreSqlWakeUp wakeUp;

    Node(DataSource dataSource, WakeUp settings) {
      this.wakeUp = new PostgreSqlWakeUp(LIBRARY, TABLE, dataSource, settings);
    }

    void awaitWoken(int times) {
      Eventually.await("woken " + times + " times", () -> woken.get() >= times);
    }
  }

  private Node started(DataSource dataSource, WakeUp settings) {
    Node node = new Node(dataSource, settings);
    nodes.add(node);
    node.wakeUp.start(node.woken::incrementAndGet);
    return node;
  }

  private Node listening(DataSource dataSource) {
    Node node = started(dataSource, WakeUp.ON);
    node.awaitWoken(1);
    return node;
  }

  /** A node that does not poll. */
  private Node sending(DataSource dataSource) {
    Node node = new Node(dataSource, WakeUp.ON);
    nodes.add(node);
    node.wakeUp.start(null);
    return node;
  }

  @AfterEach
  void close() {
    nodes.forEach(node -> node.wakeUp.close(Duration.ofSeconds(10)));
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void awaitListeners(TestDatabase database, int number) throws SQLException {
    try (Connection connection = database.connect()) {
      Eventually.await(
          number + " listen", () -> number(connection, "SELECT COUNT(*)" + LISTENING) == number);
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void whatIsReportedRightBeforeItClosesIsSentAllTheSame(TestDatabase database) {
    Node listener = listening(database.dataSource());
    for (int i = 0; i < 3; i++) {
      Node sender = sending(database.dataSource());
      int before = listener.woken.get();
      sender.wakeUp.notifyOthers();
      listener.awaitWoken(before + 1);
      sender.wakeUp.notifyOthers();
      sender.wakeUp.close(Duration.ofSeconds(10));
      listener.awaitWoken(before + 2);
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void aNodeWakesTheOthersAndNotItself(TestDatabase database) {
    Node first = listening(database.dataSource());
    Node second = listening(database.dataSource());
    first.wakeUp.notifyOthers();
    second.awaitWoken(2);
    second.wakeUp.notifyOthers();
    first.awaitWoken(2);
    assertThat(first.woken).as("by the other one only").hasValue(2);
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void aNodeThatIsNotStartedSaysOnceThatItWakesNobody(TestDatabase database) {
    try (CapturedLog log = new CapturedLog(LIBRARY)) {
      new Node(database.dataSource(), WakeUp.OFF).wakeUp.notifyOthers();
      Node closed = new Node(database.dataSource(), WakeUp.ON);
      closed.wakeUp.close(Duration.ZERO);
      closed.wakeUp.notifyOthers();
      assertThat(log.messages(Level.INFO)).isEmpty();
      Node node = new Node(database.dataSource(), WakeUp.ON);
      node.wakeUp.notifyOthers();
      node.wakeUp.notifyOthers();
      assertThat(log.messages(Level.INFO))
          .singleElement()
          .asString()
          .startsWith("letters publishes before start() was called and wakes no other node");
      Node listener = listening(database.dataSource());
      nodes.add(node);
      node.wakeUp.start(null);
      node.wakeUp.notifyOthers();
      listener.awaitWoken(2);
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void manyCallsAreFewNotifications(TestDatabase database) {
    Node listener = listening(database.dataSource());
    Node sender = sending(database.dataSource());
    long startedAt = System.nanoTime();
    for (int i = 0; i < 100_000; i++) {
      sender.wakeUp.notifyOthers();
    }
    listener.awaitWoken(2);
    long mostInTime = 3 + Duration.ofNanos(System.nanoTime() - startedAt).toMillis() / 20;
    assertThat(listener.woken.get()).isLessThanOrEqualTo((int) mostInTime);
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void aCutConnectionIsReplaced(TestDatabase database) throws SQLException {
    try (CapturedLog log = new CapturedLog(LIBRARY)) {
      Node listener = listening(database.dataSource());
      awaitListeners(database, 1);
      try (Connection connection = database.connect()) {
        number(connection, "SELECT COUNT(pg_terminate_backend(pid))" + LISTENING);
      }
      listener.awaitWoken(2); // it listens again
      sending(database.dataSource()).wakeUp.notifyOthers();
      listener.awaitWoken(3);
      assertThat(log.messages(Level.INFO))
          .singleElement()
          .asString()
          .startsWith("letters is not woken by other nodes for now and only polls: ");
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void aResetNetworkIsSurvived(TestDatabase database) {
    try (TcpProxy proxy = TcpProxy.to(database.host(), database.port())) {
      ConnectionPool pool =
          ConnectionPool.over(
              () ->
                  DriverManager.getConnection(
                      database.urlVia("127.0.0.1", proxy.port()),
                      database.user(),
                      database.password()));
      Node listener = started(database.dataSource(), WakeUp.on(pool));
      listener.awaitWoken(1);
      proxy.reset();
      listener.awaitWoken(2);
      sending(database.dataSource()).wakeUp.notifyOthers();
      listener.awaitWoken(3);
      listener.wakeUp.close(Duration.ofSeconds(10));
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void aDriverThatIsHiddenCostsOneLineAndNoConnection(TestDatabase database) throws SQLException {
    ConnectionPool pool = ConnectionPool.over(database.dataSource());
    pool.failOn("unwrap"::equals);
    try (CapturedLog log = new CapturedLog(LIBRARY)) {
      Node node = started(pool, WakeUp.ON);
      Eventually.await("tried twice", () -> pool.lent() >= 2);
      Eventually.await("and released", () -> pool.out() == 0);
      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("INFO letters is not woken by other nodes for now and only polls: ")
          .contains("org.postgresql.PGConnection");
      assertThat(node.woken).hasValue(0);
      Node listener = listening(database.dataSource());
      node.wakeUp.notifyOthers();
      listener.awaitWoken(2);
    }
    pool.close();
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void aConnectionThatGetsNoNotificationIsReleased(TestDatabase database) throws SQLException {
    // As with a pooler that has LISTEN run on a connection it then lends to others.
    try (TestDatabase elsewhere = TestDatabase.open(DatabaseKind.POSTGRESQL);
        ConnectionPool pool = ConnectionPool.over(elsewhere.dataSource());
        CapturedLog log = new CapturedLog(LIBRARY)) {
      Node node = started(database.dataSource(), WakeUp.on(pool));
      Eventually.await("noticed", () -> !log.lines().isEmpty());
      assertThat(log.lines().get(0)).contains("pooler in transaction mode");
      node.wakeUp.close(Duration.ofSeconds(10));
      assertThat(pool.out()).isZero();
      try (Connection connection = pool.getConnection()) {
        assertThat(number(connection, "SELECT COUNT(*) FROM pg_listening_channels()")).isZero();
      }
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void closedItGivesTheConnectionBackAsItWas(TestDatabase database) throws SQLException {
    ConnectionPool pool = ConnectionPool.withoutAutoCommit(database.dataSource());
    Node node = listening(pool);
    long startedAt = System.nanoTime();
    node.wakeUp.close(Duration.ofSeconds(30));
    assertThat(Duration.ofNanos(System.nanoTime() - startedAt)).isLessThan(Duration.ofSeconds(20));
    assertThat(pool.out()).isZero();
    try (Connection connection = pool.getConnection()) {
      assertThat(connection.getAutoCommit()).isFalse();
      assertThat(number(connection, "SELECT COUNT(*) FROM pg_listening_channels()")).isZero();
    }
    node.wakeUp.notifyOthers();
    node.wakeUp.close(Duration.ofSeconds(30));
    awaitListeners(database, 0);
    pool.close();
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void aSmallPoolKeepsItsConnections(TestDatabase database) throws SQLException {
    try (CapturedLog log = new CapturedLog(LIBRARY)) {
      started(new SizedPool.Wrapper(new SizedPool(database.dataSource(), 3)), WakeUp.ON);
      assertThat(log.lines())
          .containsExactly(
              "INFO letters is not woken by other nodes and only polls: its pool has 3 connections;"
                  + " on PostgreSQL, enlarge it to 4 or more, or set a data source for this");
      Node spared =
          started(new SizedPool(database.dataSource(), 3), WakeUp.on(database.dataSource()));
      spared.awaitWoken(1);
      listening(new SizedPool(database.dataSource(), 4));
      awaitListeners(database, 2);
    }
  }

  @EachDatabase(DatabaseKind.POSTGRESQL)
  void offItTakesNoConnection(TestDatabase database) {
    ConnectionPool pool = ConnectionPool.over(database.dataSource());
    Node node = started(pool, WakeUp.OFF);
    node.wakeUp.notifyOthers();
    node.wakeUp.close(Duration.ofSeconds(10));
    assertThat(pool.lent()).isZero();
  }

  @EachDatabase({DatabaseKind.H2, DatabaseKind.MARIADB})
  void onOtherDatabasesItEndsByItself(TestDatabase database) throws SQLException {
    try (ConnectionPool pool = ConnectionPool.over(database.dataSource());
        CapturedLog log = new CapturedLog(LIBRARY)) {
      Node node = started(pool, WakeUp.ON);
      Eventually.await("no thread", () -> pool.lent() == 1 && !threadRuns());
      node.wakeUp.start(node.woken::incrementAndGet); // the second time, without effect
      node.wakeUp.notifyOthers();
      Node sender = sending(pool);
      sender.wakeUp.notifyOthers();
      Eventually.await("no thread", () -> pool.lent() == 2 && pool.out() == 0);
      assertThat(log.lines()).isEmpty();
    }
  }

  private static boolean threadRuns() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().startsWith(LIBRARY + "-"));
  }

  @Test
  void theSizeOfAPoolIsAskedOfItAndOfWhatItWraps() {
    SizedPool pool = new SizedPool(null, 7);
    assertThat(PoolSize.of(pool)).hasValue(7);
    assertThat(PoolSize.of(new SizedPool.Wrapper(new SizedPool.Wrapper(pool)))).hasValue(7);
    assertThat(PoolSize.of(new SizedPool(null, -1))).isEmpty();
    assertThat(PoolSize.of(ConnectionPool.over(() -> null))).isEmpty();
  }
}
