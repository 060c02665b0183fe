package outbox.jdbc;

import holdfast.jdbc.Dialect;
import holdfast.jdbc.SqlMessages;
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

  private final JdbcOutboxSettings settings;
  private volatile @Nullable OutboxStatements statements;

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
        "insert",
        conn,
        s -> {
          if (s.supportsLeases(conn)) {
            TableLimits.require(s.dialect(), List.of(event));
            s.inserts().insert(conn, List.of(event), null);
          } else {
            TableLimits.requirePlain(s.dialect(), event);
            s.plain().insertNew(conn, event, now());
          }
          return true;
        });
  }

  @Override
  public int markDone(Connection conn, String eventId) {
    return doing(
        "mark done", conn, s -> closed(s, conn, eventId, s.plain().markDone(conn, eventId, now())));
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
        "insert",
        conn,
        s -> {
          TableLimits.require(s.dialect(), events);
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
            s -> !s.dialect().mayHaveGivenUp(conn) || s.plain().exists(conn, eventId));
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
  public int done(Connection conn, List<Held> held) {
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
  public boolean dead(Connection conn, Held held, String error) {
    return doing("mark dead", conn, s -> s.updates().dead(conn, held, error));
  }

  @Override
  public int giveBack(Connection conn, List<Held> held, Duration delay, boolean uncounted) {
    return doing("give back", conn, s -> s.updates().release(conn, held, delay, uncounted));
  }

  @Override
  public boolean giveBackUnhandled(Connection conn, Held held, Duration delay) {
    return doing("give back", conn, s -> s.updates().releaseUnhandled(conn, held, delay));
  }

  private static int closed(OutboxStatements s, Connection conn, String eventId, int touched)
      throws SQLException {
    if (touched > 0 && s.supportsLeases(conn)) {
      s.order().wakeAfter(conn, List.of(eventId));
    }
    return touched;
  }

  OutboxStatements statements(Connection conn) throws SQLException {
    OutboxStatements known = statements;
    if (known == null) {
      Dialect dialect = settings.dialect() == null ? dialectOf(conn) : settings.dialect();
      known = new OutboxStatements(dialect, settings);
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
    T with(OutboxStatements statements) throws SQLException;
  }

  private <T> T doing(String what, Connection conn, Doing<T> work) {
    try {
      return work.with(statements(conn));
    } catch (SQLException e) {
      throw new OutboxException(
          "outbox could not %s in table %s: %s"
              .formatted(what, settings.table(), SqlMessages.withFix(e)),
          e);
    }
  }

  private static Instant now() {
    return TimeSource.system().instant();
  }
}
