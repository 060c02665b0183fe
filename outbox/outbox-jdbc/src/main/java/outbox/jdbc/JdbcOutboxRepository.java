package outbox.jdbc;

import holdfast.jdbc.Dialect;
import holdfast.jdbc.LedgerCounters;
import holdfast.jdbc.LedgerCounters.Counter;
import holdfast.jdbc.SqlMessages;
import holdfast.jdbc.TableColumns;
import holdfast.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.model.ClaimRequest;
import outbox.model.ClaimResult;
import outbox.model.Held;
import outbox.model.LeaseTerms;
import outbox.model.OutboxEvent;
import outbox.spi.LeaseStore;

/**
 * The outbox table of one database. The database is found out with the first connection. Safe for
 * use by many threads; never closes, commits or rolls back the connection it is given.
 */
public final class JdbcOutboxRepository implements LeaseStore {
  /** The table unless configured: {@value}. */
  public static final String DEFAULT_TABLE = "outbox_event";

  private static final String INSERT = "insert";
  private static final String CONSTRAINT_VIOLATION = "23";

  private final JdbcOutboxSettings settings;
  private volatile @Nullable Statements statements;

  /** The table {@value #DEFAULT_TABLE}, in the database of whatever connection comes first. */
  public JdbcOutboxRepository() {
    this(JdbcOutboxSettings.DEFAULT);
  }

  /**
   * A table of another name.
   *
   * @param table {@code table} or {@code schema.table}
   * @throws IllegalArgumentException if it is not a valid name
   */
  public JdbcOutboxRepository(String table) {
    this(JdbcOutboxSettings.DEFAULT.withTable(OutboxTable.named(table)));
  }

  JdbcOutboxRepository(JdbcOutboxSettings settings) {
    this.settings = settings;
  }

  @Override
  public void insertNew(Connection conn, EventEnvelope event) {
    doing(
        INSERT,
        conn,
        s -> {
          if (s.supportsLeases(conn)) {
            s.inserts().insert(conn, List.of(event), null);
          } else {
            s.plain().insertNew(conn, event, now());
          }
          return true;
        });
  }

  @Override
  public int markDone(Connection conn, String eventId) {
    return doing(
        "mark done",
        conn,
        s -> {
          int touched = closed(s, conn, eventId, s.plain().markDone(conn, eventId, now()));
          if (s.supportsLeases(conn)) {
            s.counters().add(conn, Counter.DELIVERED, touched);
          }
          return touched;
        });
  }

  @Override
  public int markRetry(Connection conn, String eventId, Instant nextAt, @Nullable String error) {
    return doing("mark retry", conn, s -> s.plain().markRetry(conn, eventId, nextAt, error));
  }

  @Override
  public int markDead(Connection conn, String eventId, @Nullable String error) {
    return doing(
        "mark dead", conn, s -> closed(s, conn, eventId, s.plain().markDead(conn, eventId, error)));
  }

  @Override
  public List<OutboxEvent> pollPending(
      Connection conn, Instant now, Duration skipRecent, int limit) {
    return doing(
        "poll",
        conn,
        s -> s.plain().pollPending(conn, now, skipRecent, limit, s.supportsLeases(conn)));
  }

  @Override
  public boolean supportsLeases(Connection conn) {
    return doing("look at the columns", conn, s -> s.supportsLeases(conn));
  }

  /**
   * The same with a connection of its own, after a check that the tables are as they must be.
   *
   * @param changesRows whether this node delivers or purges, and not only publishes
   */
  boolean requireTables(DataSource dataSource, boolean changesRows) {
    try (Connection conn = dataSource.getConnection()) {
      return doing(
          "work",
          conn,
          s -> {
            new TableRequirements(s.table(), changesRows).require(conn);
            return s.supportsLeases(conn);
          });
    } catch (SQLException e) {
      throw new OutboxException(
          "outbox could not reach its database: " + SqlMessages.withFix(e), e);
    }
  }

  @Override
  public boolean leasesCountFromStatement(Connection conn) {
    return doing("ask for the clock", conn, s -> !s.dialect().freezesClockInTransaction());
  }

  @Override
  public void insertAll(Connection conn, List<EventEnvelope> events, @Nullable LeaseTerms terms) {
    doing(
        INSERT,
        conn,
        s -> {
          s.inserts().insert(conn, events, terms);
          return true;
        });
  }

  @Override
  public void requireKept(Connection conn, String eventId) {
    boolean kept =
        doing(
            "look at the transaction",
            conn,
            s -> !s.dialect().mayHaveGivenUp(conn) || s.inserts().isThere(conn, eventId));
    if (!kept) {
      throw new OutboxException(
          "the transaction must still have what it has written but the database has rolled it back"
              + " on its own; after an error such as a deadlock, roll back and begin again",
          null);
    }
  }

  @Override
  public ClaimResult claim(Connection conn, ClaimRequest request, Predicate<String> reserve) {
    return doing("claim", conn, s -> s.claims().claim(conn, request, reserve));
  }

  @Override
  public boolean start(Connection conn, Held held, LeaseTerms terms, int suspectGroup) {
    return doing("start check", conn, s -> s.updates().start(conn, held, terms, suspectGroup));
  }

  @Override
  public boolean isHead(Connection conn, String eventId) {
    return doing("head check", conn, s -> s.order().isHead(conn, eventId));
  }

  @Override
  public boolean park(Connection conn, Held held) {
    return doing("set aside", conn, s -> s.order().park(conn, held));
  }

  @Override
  public int parkDue(Connection conn, Duration minAge, Predicate<String> reserve) {
    return doing("set aside", conn, s -> s.order().parkDue(conn, minAge, reserve));
  }

  @Override
  public int wakeNext(Connection conn, List<String> closed) {
    return doing("wake", conn, s -> s.order().wakeAfter(conn, closed));
  }

  @Override
  public Set<String> renew(Connection conn, List<Held> held, LeaseTerms terms) {
    return doing("renew", conn, s -> s.updates().renew(conn, held, terms));
  }

  @Override
  public Set<String> done(Connection conn, List<Held> held) {
    return doing("mark done", conn, s -> s.updates().done(conn, held));
  }

  @Override
  public boolean retry(Connection conn, Held held, Duration delay, String error, boolean counted) {
    return doing("mark retry", conn, s -> s.updates().retry(conn, held, delay, error, counted));
  }

  @Override
  public int retryNow(Connection conn, String eventType, int limit) {
    return doing("make retries due", conn, s -> s.claims().retryNow(conn, eventType, limit));
  }

  @Override
  public boolean foldCounters(Connection conn) {
    return doing("fold counters", conn, s -> s.supportsLeases(conn) && s.counters().fold(conn));
  }

  @Override
  public boolean dead(Connection conn, Held held, String error) {
    return doing("mark dead", conn, s -> s.updates().dead(conn, held, error));
  }

  @Override
  public int release(Connection conn, List<Held> held, Duration delay, boolean uncounted) {
    return doing("release", conn, s -> s.updates().release(conn, held, delay, uncounted));
  }

  @Override
  public boolean releaseUnhandled(Connection conn, Held held, Duration delay) {
    return doing("release", conn, s -> s.updates().releaseUnhandled(conn, held, delay));
  }

  private static int closed(Statements s, Connection conn, String eventId, int touched)
      throws SQLException {
    if (touched > 0 && s.supportsLeases(conn)) {
      s.order().wakeAfter(conn, List.of(eventId));
    }
    return touched;
  }

  Statements statements(Connection conn) throws SQLException {
    Statements known = statements;
    if (known == null) {
      Dialect dialect = settings.dialect() == null ? dialectOf(conn) : settings.dialect();
      known = new Statements(dialect, settings);
      statements = known;
    }
    return known;
  }

  private static Dialect dialectOf(Connection conn) throws SQLException {
    try {
      return Dialect.of(conn);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          e.getMessage() + ", or name the one that it is compatible with by dialect(...)", e);
    }
  }

  private interface Doing<T> {
    T with(Statements statements) throws SQLException;
  }

  private <T> T doing(String what, Connection conn, Doing<T> work) {
    try {
      return work.with(statements(conn));
    } catch (SQLException e) {
      throw new OutboxException(
          "outbox could not %s in table %s: %s%s"
              .formatted(what, settings.table(), SqlMessages.withFix(e), fixFor(what, e)),
          e);
    }
  }

  /** Databases name the key of a row that is there twice, but not what to do. */
  private static String fixFor(String what, SQLException e) {
    boolean twice = String.valueOf(e.getSQLState()).startsWith(CONSTRAINT_VIOLATION);
    return what.equals(INSERT) && twice
        ? "; an event of this id is in the table already: publish each event once, or set no eventId"
            + " to have one made"
        : "";
  }

  private static Instant now() {
    return TimeSource.system().instant();
  }

  /** All statements for one table on one database. Safe for use by many threads. */
  static final class Statements {
    private final OutboxTable table;
    private final PlainStatements plain;
    private final InsertEvents inserts;
    private final ClaimEvents claims;
    private final LeasedEventUpdates updates;
    private final AggregateOrder order;
    private final LedgerCounters counters;
    private volatile @Nullable Boolean supportsLeases;

    Statements(Dialect dialect, JdbcOutboxSettings settings) {
      this.table = new OutboxTable(dialect, settings.table(), settings.clock());
      this.counters = new LedgerCounters(table, settings.table());
      this.plain = new PlainStatements(table);
      this.inserts = new InsertEvents(table, counters);
      this.order = new AggregateOrder(table, settings.onDead());
      this.claims = new ClaimEvents(table, settings.onDead(), order);
      this.updates = new LeasedEventUpdates(table, counters);
    }

    Dialect dialect() {
      return table.dialect();
    }

    OutboxTable table() {
      return table;
    }

    PlainStatements plain() {
      return plain;
    }

    InsertEvents inserts() {
      return inserts;
    }

    ClaimEvents claims() {
      return claims;
    }

    LeasedEventUpdates updates() {
      return updates;
    }

    AggregateOrder order() {
      return order;
    }

    LedgerCounters counters() {
      return counters;
    }

    /** Asks the metadata once: a statement that fails would end the caller's transaction. */
    boolean supportsLeases(Connection conn) throws SQLException {
      Boolean known = supportsLeases;
      if (known == null) {
        Set<String> columns = TableColumns.of(conn, table.name());
        if (columns.isEmpty()) {
          throw new SQLException(
              "table "
                  + table.name()
                  + " must exist but was not found; create it with createTables(), or with"
                  + " outbox/jdbc/schema/"
                  + dialect().name()
                  + ".sql of the jar outbox-jdbc");
        }
        known = OutboxTable.isFull(table.name(), columns) && dialect().supportsSkipLocked();
        supportsLeases = known;
      }
      return known;
    }
  }
}
