package holdfast.jdbc;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;

import holdfast.id.UlidGenerator;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Lifecycle;
import holdfast.lifecycle.Loop;
import holdfast.log.LibraryLogger;
import holdfast.retry.Backoff;
import holdfast.time.TimeSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the other nodes of a library on PostgreSQL, by NOTIFY, and is woken by them, by LISTEN on a
 * connection of its own. Polling stays the truth: whatever fails here costs the time to the next
 * poll and nothing else. On other databases it does nothing. Safe for use by many threads.
 *
 * <p>Notifications are sent on a thread of their own and after the commit, never in the transaction
 * that publishes: NOTIFY takes a lock that is one for the whole server. There is at most one in 20
 * ms, whatever the number of events.
 *
 * <p>A pooler may take LISTEN and pass no notification on. So a listener first sends a notification
 * to itself, and releases the connection if it does not arrive. Then, as after every failure, it
 * tries again after a pause, which grows to 10 minutes; the first failure in a row is logged.
 */
public final class PostgreSqlWakeUp {
  /** A pool with fewer has no connection to spare for one that only waits. */
  private static final int LEAST_POOL_SIZE = 4;

  private static final int LONGEST_CHANNEL = 63;
  private static final String TEST = "test ";
  private static final Duration SPACING = Duration.ofMillis(20);

  /** How long it takes at most to see that it was closed: the driver's wait cannot be cut short. */
  private static final Duration WAIT = Duration.ofMillis(100);

  private static final Duration CHECK_EVERY = Duration.ofSeconds(15);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
  private static final Backoff PAUSES = Backoff.exponential(Duration.ofSeconds(1), LONGEST_PAUSE);

  private final System.Logger log;
  private final String library;
  private final String channel;
  private final DataSource dataSource;
  private final WakeUp settings;
  private final String self = UlidGenerator.shared().next();
  private final TimeSource time = TimeSource.system();
  private final Lifecycle life;
  private final Loop sender;
  private final Loop listener;
  private final AtomicBoolean unsent = new AtomicBoolean();
  private final AtomicBoolean untested = new AtomicBoolean();
  private final AtomicBoolean saidNotStarted = new AtomicBoolean();
  private final CountDownLatch allSent = new CountDownLatch(1);
  private volatile boolean running;
  private volatile boolean closing;
  private volatile Runnable onNotified = () -> {};
  private long sentAt; // confined to the sender
  private int failures; // confined to the listener

  /**
   * Creates a wake-up that is not started.
   *
   * @param library the library's name, the first word of threads and log lines
   * @param table the table whose nodes wake each other
   * @param dataSource where the table is
   * @param settings whether to wake, and on whose connection
   */
  public PostgreSqlWakeUp(String library, TableName table, DataSource dataSource, WakeUp settings) {
    this.log = LibraryLogger.of(library);
    this.library = library;
    this.channel = channel(table);
    this.dataSource = dataSource;
    this.settings = settings;
    this.sentAt = time.nanoTime() - SPACING.toNanos();
    this.life = new Lifecycle(library + " wake-up");
    this.sender = new Loop(library + "-notify", LONGEST_PAUSE, this::send, this::unsent, time);
    this.listener = new Loop(library + "-listen", LONGEST_PAUSE, this::listen, e -> {}, time);
  }

  /** The table's name, which is one for all spellings, as a name that needs no quotes. */
  private static String channel(TableName table) {
    String name = "holdfast_" + table.toString().toLowerCase(Locale.ROOT).replace('.', '_');
    if (name.length() <= LONGEST_CHANNEL) {
      return name;
    }
    String hash = "_" + Integer.toHexString(name.hashCode());
    return name.substring(0, LONGEST_CHANNEL - hash.length()) + hash;
  }

  /**
   * Starts the threads, if it is to be used at all; does nothing the second time.
   *
   * @param onNotified is called when another node has published, on a thread of its own; null for a
   *     node that does not poll, which only wakes others
   * @throws IllegalStateException if it is closed
   */
  public void start(@Nullable Runnable onNotified) {
    if (!life.start() || !settings.isOn()) {
      return;
    }
    running = true;
    sender.start();
    if (onNotified != null && hasConnectionToSpare()) {
      this.onNotified = onNotified;
      listener.start();
    }
  }

  private boolean hasConnectionToSpare() {
    OptionalInt most =
        settings.dataSource() == null ? PoolSize.of(dataSource) : OptionalInt.empty();
    if (most.isPresent() && most.getAsInt() < LEAST_POOL_SIZE) {
      log.log(
          INFO,
          library
              + " is not woken by other nodes and only polls: its pool has "
              + most.getAsInt()
              + " connections; on PostgreSQL, enlarge it to "
              + LEAST_POOL_SIZE
              + " or more, or set a data source for this");
      return false;
    }
    return true;
  }

  /**
   * Wakes the other nodes, soon: events are due that this node may not take. Before the start it
   * only says, once, that it does not: there is no thread for it.
   */
  public void notifyOthers() {
    if (running && unsent.compareAndSet(false, true)) {
      sender.wakeUp();
    } else if (settings.isOn() && life.isNew() && saidNotStarted.compareAndSet(false, true)) {
      log.log(
          INFO,
          library
              + " publishes before start() was called and wakes no other node until then: on"
              + " PostgreSQL, too, they find its events at their next poll");
    }
  }

  /**
   * Ends the threads, after other nodes were woken for what was reported before. Idempotent.
   *
   * @param timeout how long to wait for them at most
   */
  public void close(Duration timeout) {
    life.close();
    Deadline deadline = Deadline.after(timeout, time);
    closing = true;
    sender.wakeUp();
    listener.close(deadline.remaining());
    try {
      if (running) {
        deadline.await(allSent);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Duration send() throws SQLException {
    boolean nothing = !unsent.get() && !untested.get();
    if (!running || (closing && nothing)) { // not running: the listener found another database
      endSending();
    }
    if (!running || nothing) {
      return LONGEST_PAUSE;
    }
    long early = SPACING.toNanos() - (time.nanoTime() - sentAt);
    if (early > 0) {
      return Duration.ofNanos(early);
    }
    sentAt = time.nanoTime();
    boolean test = untested.getAndSet(false);
    boolean events = unsent.getAndSet(false); // before it is sent: what follows is sent again
    try (Connection connection = dataSource.getConnection()) {
      if (isPostgreSql(connection)) {
        if (events) {
          notify(connection, self);
        }
        if (test) {
          notify(connection, TEST + self);
        }
      }
    }
    if (closing && !unsent.get()) {
      endSending();
    }
    return LONGEST_PAUSE;
  }

  private void endSending() {
    running = false;
    sender.close(Duration.ZERO);
    allSent.countDown();
  }

  private void notify(Connection connection, String payload) throws SQLException {
    try (PreparedStatement sql = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
      sql.setString(1, channel);
      sql.setString(2, payload);
      sql.execute();
    }
    if (!connection.getAutoCommit()) {
      connection.commit();
    }
  }

  /** The other nodes poll; what is wrong with the database is reported by those who need it. */
  private void unsent(Exception failure) {
    log.log(DEBUG, library + " could not wake other nodes", failure);
    if (closing) {
      endSending();
    }
  }

  private boolean isPostgreSql(Connection connection) throws SQLException {
    boolean is = Dialect.of(connection) instanceof PostgreSqlDialect;
    if (!is) {
      running = false;
      sender.wakeUp(); // to end
    }
    return is;
  }

  private Duration listen() {
    DataSource own = settings.dataSource();
    try (Connection connection = (own == null ? dataSource : own).getConnection()) {
      if (isPostgreSql(connection)) {
        listenOn(connection, PostgreSqlNotifications.of(connection));
      } else {
        listener.close(Duration.ZERO);
      }
      return LONGEST_PAUSE;
    } catch (SQLException | RuntimeException e) {
      if (!listener.isClosed()) {
        failures++;
        log.log(
            failures == 1 ? INFO : DEBUG,
            library + " is not woken by other nodes for now and only polls: " + e.getMessage(),
            failures == 1 ? null : e);
      }
      return PAUSES.delay(failures);
    }
  }

  private void listenOn(Connection connection, PostgreSqlNotifications notifications)
      throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    if (!autoCommit) {
      connection.setAutoCommit(true); // inside a transaction nothing arrives
    }
    execute(connection, "LISTEN " + channel);
    try {
      awaitNotifications(connection, notifications);
    } finally {
      restore(connection, autoCommit);
    }
  }

  private void awaitNotifications(Connection connection, PostgreSqlNotifications notifications)
      throws SQLException {
    untested.set(true);
    sender.wakeUp();
    onNotified.run(); // for what was published before it listened
    boolean works = false;
    Deadline test = Deadline.after(ANSWER_WITHIN, time);
    Deadline check = Deadline.after(CHECK_EVERY, time);
    while (!listener.isClosed()) {
      boolean notified = false;
      for (String payload : notifications.await(WAIT)) {
        works |= payload.equals(TEST + self);
        notified |= !payload.equals(self) && !payload.startsWith(TEST);
      }
      if (notified) {
        onNotified.run();
      }
      if (works) {
        failures = 0;
      } else if (test.isOver()) {
        throw new SQLException(
            "no notification arrived within "
                + ANSWER_WITHIN.toSeconds()
                + " s, as with a pooler in transaction mode; set a data source for this that leads"
                + " to the server itself");
      }
      if (check.isOver()) {
        if (!connection.isValid((int) ANSWER_WITHIN.toSeconds())) {
          throw new SQLException("the connection does not answer any more");
        }
        check = Deadline.after(CHECK_EVERY, time);
      }
    }
  }

  /** No pool must lend a connection that still listens. */
  private void restore(Connection connection, boolean autoCommit) throws SQLException {
    try {
      execute(connection, "UNLISTEN " + channel);
      if (!autoCommit) {
        connection.setAutoCommit(false);
      }
    } catch (SQLException e) {
      connection.abort(Runnable::run);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
