package eventbus.table;

import static java.lang.System.Logger.Level.DEBUG;

import eventbus.EventBusException;
import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Dialect;
import holdfast.jdbc.Isolation;
import holdfast.jdbc.LedgerCounters;
import holdfast.jdbc.NodeTables;
import holdfast.jdbc.SqlMessages;
import holdfast.jdbc.TableColumns;
import holdfast.jdbc.TableException;
import holdfast.jdbc.TableName;
import holdfast.jdbc.Transactions;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The short transactions of the bus, each on one connection. READ COMMITTED, because MariaDB and
 * MySQL would otherwise lock the gaps between rows too, where others insert. Safe for use by many
 * threads.
 */
final class Database {
  private static final System.Logger LOG = LibraryLogger.of("eventbus");

  private final Transactions transactions;
  private final DataSource dataSource;
  private final TableNames names;
  private final DatabaseClock clock;
  private volatile @Nullable EventTable table;

  Database(DataSource dataSource, TableNames names, DatabaseClock clock) {
    this.transactions = Transactions.of(dataSource).withIsolation(Isolation.READ_COMMITTED);
    this.dataSource = dataSource;
    this.names = names;
    this.clock = clock;
  }

  NodeTables nodes(String worker, TimeSource time) {
    return new NodeTables(
        transactions,
        new NodeTables.Settings(
            "eventbus",
            names.events(),
            "type",
            worker,
            Dialect::of,
            clock,
            "create them with createTables() or eventbus/schema/<database>.sql"),
        time);
  }

  interface Work<T extends @Nullable Object> {
    T in(Connection conn, EventTable table) throws SQLException;
  }

  /** Does the work in a transaction of its own; {@code what} says in the error what was tried. */
  <T extends @Nullable Object> T call(String what, Work<T> work) {
    return failing(what, () -> transactions.call(conn -> work.in(conn, table(conn))));
  }

  /** The same, and again in another transaction after a deadlock: the work begins anew then. */
  <T extends @Nullable Object> T callAgainAfterDeadlock(String what, Work<T> work) {
    return failing(
        what, () -> transactions.callAgainAfterDeadlock(conn -> work.in(conn, table(conn))));
  }

  private interface Transaction<T extends @Nullable Object> {
    T call() throws SQLException;
  }

  private <T extends @Nullable Object> T failing(String what, Transaction<T> transaction) {
    try {
      return transaction.call();
    } catch (SQLException e) {
      throw failure(what, e, isAboutNames(e) ? missingTable() : null);
    }
  }

  /** Does the work in the caller's transaction. */
  <T> T join(Connection conn, String what, Work<T> work) {
    try {
      return work.in(conn, table(conn));
    } catch (SQLException e) {
      throw failure(what, e, null); // the transaction may be broken: nothing more is asked of it
    }
  }

  /**
   * Fails if a table is not as it must be; does nothing if the database cannot tell.
   *
   * @param works whether the bus handles events, and not only publishes
   * @throws EventBusException if a table is missing, lacks columns, has columns of other types, or
   *     the user lacks rights on it
   */
  void requireTables(boolean works) {
    try (Connection conn = dataSource.getConnection()) {
      new TableRequirements(names, works).require(conn);
    } catch (TableException e) {
      throw failure("start", e, null);
    } catch (SQLException e) {
      LOG.log(DEBUG, "event bus could not check its tables", e); // the work itself will report it
    }
  }

  /** The words for the database behind a connection, asked once. */
  private EventTable table(Connection conn) throws SQLException {
    EventTable known = table;
    if (known == null) {
      Dialect dialect = Dialect.of(conn);
      if (!dialect.supportsSkipLocked()) {
        throw new SQLException(
            "the database must know FOR UPDATE SKIP LOCKED but is "
                + dialect
                + "; take a newer one");
      }
      known = new EventTable(dialect, names, clock);
      table = known;
    }
    return known;
  }

  /** Syntax error or access rule violation: the class of unknown tables on every database. */
  private static boolean isAboutNames(SQLException e) {
    return e.getSQLState() != null && e.getSQLState().startsWith("42");
  }

  private @Nullable TableName missingTable() {
    try (Connection conn = dataSource.getConnection()) {
      for (TableName name :
          new TableName[] {names.events(), names.log(), LedgerCounters.counts(names.events())}) {
        if (TableColumns.of(conn, name).isEmpty()) {
          return name;
        }
      }
      return null;
    } catch (SQLException e) {
      return null; // it cannot tell; what it said to the work itself is reported
    }
  }

  static EventBusException failure(String what, SQLException e, @Nullable TableName missing) {
    String reason =
        missing == null
            ? SqlMessages.withFix(e)
            : "table "
                + missing
                + " must exist but was not found; create it with createTables() or the schema file"
                + " for this database in eventbus/schema";
    return new EventBusException("event bus could not " + what + ": " + reason, e);
  }
}
