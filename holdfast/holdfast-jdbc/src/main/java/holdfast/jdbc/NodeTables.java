package holdfast.jdbc;

import static holdfast.jdbc.Right.SELECT;

import holdfast.log.Outage;
import holdfast.time.TimeSource;
import holdfast.work.Nodes;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Two small tables beside that of the events: which nodes take events, and which types are paused
 * for all of them. A node says every 5 seconds that it is there, and reads both. Where the tables
 * are missing, it is alone and nothing is paused. Safe for use by many threads.
 */
public final class NodeTables implements Nodes {
  private static final Duration EVERY = Duration.ofSeconds(5);
  private static final Duration SOON = Duration.ofMillis(200); // the first claim comes before
  private static final Duration GONE_AFTER = Duration.ofSeconds(15);
  private static final Duration FORGOTTEN_AFTER = Duration.ofDays(1);
  private static final Duration FORGET_EVERY = Duration.ofHours(1);
  private static final String LOOP = "nodes";

  /** How long to wait at least: another thread pauses or resumes, or many counters are left. */
  private static final Duration BUSY = Duration.ofMillis(100);

  private static final String SEEN = "UPDATE {nodes} SET seen_at = {nowPlus} WHERE node = ?";
  private static final String NEW = "INSERT INTO {nodes} (seen_at, node) VALUES ({nowPlus}, ?)";
  private static final String STATE =
      """
      SELECT p.{type}, 0 FROM {pauses} p
      UNION ALL
      SELECT '', COUNT(*) FROM {nodes} n WHERE n.node <> ? AND n.seen_at > {nowPlus}
      """;
  private static final String FORGET = "DELETE FROM {nodes} WHERE seen_at < {nowPlus}";
  private static final String LEAVE = "DELETE FROM {nodes} WHERE node = ?";
  private static final String PAUSED = "SELECT p.{type}, p.paused_at FROM {pauses} p";
  private static final String RESUME = "DELETE FROM {pauses} WHERE {type} = ?";
  private static final String RESUME_ALL = "DELETE FROM {pauses}";

  private final Transactions transactions;
  private final Settings settings;
  private final TimeSource time;
  private final ReentrantLock refreshing = new ReentrantLock();
  private volatile @Nullable SqlTable tables; // null while they are not known to be there
  private volatile Set<String> paused = Set.of();
  private volatile boolean others;
  private volatile Runnable onPauseChanged = () -> {};
  private volatile Outage outage;
  private volatile boolean claiming;
  private volatile boolean polling;
  private volatile long nextAt;

  // Guarded by refreshing.
  private boolean asked;
  private boolean noted;
  private long forgetAt;

  /**
   * Which tables, and whose. Immutable.
   *
   * @param library the name of the library, for its log
   * @param events the table of the events, from which the names of the two are made
   * @param typeColumn the column that has the type of an event there
   * @param node the name of this node, unique among all nodes
   * @param dialect finds the database behind a connection
   * @param clock the database's clock
   * @param fix how to create the tables, for messages
   */
  public record Settings(
      String library,
      TableName events,
      String typeColumn,
      String node,
      TransactionCall<Dialect, SQLException> dialect,
      DatabaseClock clock,
      String fix) {}

  /** The words of both tables, for one database. */
  private static final class Words extends SqlTable {
    Words(Dialect dialect, Settings settings) {
      super(
          dialect,
          settings.clock(),
          "node",
          Map.of(
              "nodes", nodes(settings.events()).toString(),
              "pauses", pauses(settings.events()).toString(),
              "counts", LedgerCounters.counts(settings.events()).toString(),
              "type", settings.typeColumn()));
    }
  }

  /** Creates what a node knows of the others: nothing yet. */
  public NodeTables(Transactions transactions, Settings settings, TimeSource time) {
    this.transactions = transactions.withIsolation(Isolation.READ_COMMITTED);
    this.settings = settings;
    this.outage = new Outage(settings.library(), time);
    this.time = time;
    this.nextAt = time.nanoTime();
    this.forgetAt = nextAt;
  }

  /** Returns the table of nodes beside a table of events. */
  public static TableName nodes(TableName events) {
    return new TableName(events.schema(), events.name() + "_node");
  }

  /** Returns the table of paused types beside a table of events. */
  public static TableName pauses(TableName events) {
    return new TableName(events.schema(), events.name() + "_pause");
  }

  static boolean areThere(Connection conn, TableName events) throws SQLException {
    return !TableColumns.of(conn, nodes(events)).isEmpty()
        && !TableColumns.of(conn, pauses(events)).isEmpty();
  }

  @Override
  public boolean hasOthers() {
    return others;
  }

  @Override
  public Set<String> pausedTypes() {
    return paused;
  }

  @Override
  public void connect(Outage outage, Runnable onPauseChanged) {
    this.outage = outage;
    this.onPauseChanged = onPauseChanged;
  }

  @Override
  public void claiming(boolean claims) {
    claiming = claims;
  }

  /** Notes that this node takes events without being there for the others: it polls by itself. */
  public void polling() {
    polling = true;
  }

  @Override
  public Duration refresh() {
    if (nextAt - time.nanoTime() <= 0 && refreshing.tryLock()) {
      try {
        if (nextAt - time.nanoTime() <= 0) {
          refreshNow();
        }
      } finally {
        refreshing.unlock();
      }
    }
    return Duration.ofNanos(Math.max(BUSY.toNanos(), nextAt - time.nanoTime()));
  }

  private void refreshNow() {
    nextAt = time.nanoTime() + EVERY.toNanos();
    try {
      boolean first = !asked;
      if (first) {
        tables = transactions.call(this::find).orElse(null);
        asked = true;
      }
      SqlTable known = tables;
      if (known != null && first) {
        know(transactions.call(conn -> read(conn, known)));
        nextAt = time.nanoTime() + SOON.toNanos();
      } else if (known != null) {
        sayThatItIsThere(known);
        know(transactions.call(conn -> read(conn, known)));
        forgetOthers(known);
        if ((claiming || polling)
            && new LedgerCounters(known, settings.events()).fold(transactions)) {
          nextAt = time.nanoTime(); // many are left
        }
      }
      outage.worked(LOOP);
    } catch (SQLException e) {
      String what = "could not read which nodes are there and which types are paused: ";
      outage.failed(LOOP, new SQLException(what + SqlMessages.withFix(e), e.getSQLState(), e));
    } catch (RuntimeException e) {
      outage.failed(LOOP, e);
    }
  }

  private Optional<SqlTable> find(Connection conn) throws SQLException {
    TableName events = settings.events();
    if (!areThere(conn, events)) {
      return Optional.empty();
    }
    Dialect dialect = settings.dialect().call(conn);
    boolean readable = // a node that only publishes needs no rights on them
        SELECT.ask(conn, dialect, nodes(events), "node") == Right.Answer.ALLOWED
            && SELECT.ask(conn, dialect, pauses(events), settings.typeColumn())
                == Right.Answer.ALLOWED;
    return readable ? Optional.of(new Words(dialect, settings)) : Optional.empty();
  }

  private void sayThatItIsThere(SqlTable known) throws SQLException {
    if (claiming) {
      noted = true;
      transactions.run(
          conn -> {
            if (changeNode(conn, known, SEEN) == 0) {
              changeNode(conn, known, NEW);
            }
          });
    }
  }

  private int changeNode(Connection conn, SqlTable known, String text) throws SQLException {
    try (Sql sql = known.sql(conn, text)) {
      return sql.bind(known.clock().now()).bind(settings.node()).update();
    }
  }

  /** Reads whether others are there; returns what is paused. */
  private Set<String> read(Connection conn, SqlTable known) throws SQLException {
    Set<String> types = new HashSet<>();
    long[] count = new long[1];
    try (Sql sql = known.sql(conn, STATE)) {
      sql.bind(settings.node())
          .bind(known.clock().micros(GONE_AFTER.negated()))
          .list(
              row -> {
                String type = row.string();
                count[0] += row.longValue();
                return type.isEmpty() || types.add(type);
              });
    }
    others = count[0] > 0;
    return types;
  }

  private void know(Set<String> types) {
    boolean changed = !types.equals(paused);
    paused = Set.copyOf(types);
    if (changed) {
      onPauseChanged.run();
    }
  }

  private void forgetOthers(SqlTable known) throws SQLException {
    if (claiming && forgetAt - time.nanoTime() <= 0) {
      forgetAt = time.nanoTime() + FORGET_EVERY.toNanos();
      long before = known.clock().micros(FORGOTTEN_AFTER.negated());
      run(known, FORGET, sql -> sql.bind(before));
    }
  }

  /** In a transaction of its own: two nodes that wait for each other's rows would deadlock. */
  private void run(SqlTable known, String text, Condition.Value values) throws SQLException {
    transactions.run(
        conn -> {
          try (Sql sql = known.sql(conn, text)) {
            values.bind(sql);
            sql.update();
          }
        });
  }

  @Override
  public void leave() {
    refreshing.lock();
    try {
      SqlTable known = tables;
      if (noted && known != null) {
        run(known, LEAVE, sql -> sql.bind(settings.node()));
      }
    } catch (SQLException | RuntimeException e) {
      outage.failedOnce("leaving the " + LOOP, e);
    } finally {
      noted = false;
      refreshing.unlock();
    }
  }

  /** Pauses a type, or all of them; does nothing if it is paused already. */
  void pause(String type) throws SQLException {
    SqlTable known = required();
    String column = settings.typeColumn();
    String text =
        known
            .dialect()
            .insertIfAbsent(
                pauses(settings.events()), List.of(column, "paused_at"), List.of(column));
    Instant now = transactions.call(known::now);
    change(known, text, sql -> sql.bind(type).bind(now));
  }

  /** Resumes a type; does nothing if it is not paused. */
  void resume(String type) throws SQLException {
    change(required(), RESUME, sql -> sql.bind(type));
  }

  /** Resumes everything that is paused. */
  void resumeAll() throws SQLException {
    change(required(), RESUME_ALL, sql -> {});
  }

  private void change(SqlTable known, String text, Condition.Value values) throws SQLException {
    refreshing.lock(); // what was read before must not be known after
    try {
      try {
        run(known, text, values);
      } catch (SQLIntegrityConstraintViolationException raced) {
        run(known, text, values); // only H2: another node did the same
      }
      know(pausedSince().keySet());
    } finally {
      refreshing.unlock();
    }
  }

  /** Returns what is paused, and since when by the database's clock. */
  Map<String, Instant> pausedSince() throws SQLException {
    SqlTable known = known();
    Map<String, Instant> since = new TreeMap<>();
    if (known != null) {
      transactions.run(
          conn -> {
            try (Sql sql = known.sql(conn, PAUSED)) {
              sql.list(row -> since.put(row.string(), row.instant()));
            }
          });
    }
    return since;
  }

  private SqlTable required() throws SQLException {
    SqlTable known = known();
    if (known == null) {
      throw new SQLException(
          "tables %s and %s must exist and be readable but are not; %s"
              .formatted(nodes(settings.events()), pauses(settings.events()), settings.fix()));
    }
    return known;
  }

  /** Asks again where they were missing: they may have been created since. */
  private @Nullable SqlTable known() throws SQLException {
    SqlTable known = tables;
    if (known == null) {
      known = transactions.call(this::find).orElse(null);
      tables = known;
    }
    return known;
  }
}
