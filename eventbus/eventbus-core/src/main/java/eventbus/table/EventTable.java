package eventbus.table;

import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Dialect;
import holdfast.jdbc.Sql;
import holdfast.jdbc.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The words that differ between databases, in the statements of the bus. Safe for use by many
 * threads.
 *
 * <p>Statement texts are written with {@code {events}}, {@code {log}}, {@code {purged}}, {@code
 * {nowPlus}}, {@code {waiting}}, {@code {held}}, {@code {heldUntil}}, {@code {byDue}}, {@code
 * {byHeld}}, {@code {byId}} and {@code {lock}}, and filled in once.
 */
final class EventTable {
  /** The columns that make up an event, in the order {@link EventRow} reads them. */
  static final String COLUMNS =
      "e.id, e.type, e.payload, e.headers, e.priority, e.attempts, e.failures, e.lapses,"
          + " e.claim_token, e.claimed_by, e.done_handlers, e.created_at";

  /** Said as a range, for which H2 does not read the rows that have no such time. */
  private static final String NOT_NULL = "e.held_until >= TIMESTAMP '1970-01-01 00:00:00'";

  private final Dialect dialect;
  private final TableNames names;
  private final DatabaseClock clock;
  private final ConcurrentMap<String, String> filled = new ConcurrentHashMap<>();

  EventTable(Dialect dialect, TableNames names, DatabaseClock clock) {
    this.dialect = dialect;
    this.names = names;
    this.clock = clock;
  }

  Dialect dialect() {
    return dialect;
  }

  DatabaseClock clock() {
    return clock;
  }

  TableName purged() {
    return names.purged();
  }

  /** A statement for this table and database; its text is made once. */
  Sql sql(Connection conn, String text) throws SQLException {
    return dialect.sql(conn, fill(text));
  }

  /** The same with {@code {among}} for so many ids. */
  Sql sqlAmong(Connection conn, String text, int ids) throws SQLException {
    return dialect.sql(conn, fill(text).replace("{among}", dialect.among("e.id", ids)));
  }

  /** An INSERT for this table and database that hands the new ids back. */
  Sql sqlForIds(Connection conn, String text) throws SQLException {
    return dialect.sqlReturningKeys(conn, fill(text), "id");
  }

  String fill(String text) {
    return filled.computeIfAbsent(text, this::filledIn);
  }

  private String filledIn(String text) {
    boolean partial = dialect.supportsPartialIndex();
    return text.replace("{events}", names.events().toString())
        .replace("{log}", names.log().toString())
        .replace("{purged}", names.purged().toString())
        .replace("{nowPlus}", dialect.utcNowPlusMicros())
        .replace("{waiting}", "e.claimed_by IS NULL AND e.lapses = 0")
        .replace("{held}", partial ? "(e.claimed_by IS NOT NULL OR e.lapses > 0)" : NOT_NULL)
        .replace("{heldUntil}", partial ? "e.available_at" : "e.held_until")
        .replace("{byDue}", dialect.forcedIndex("idx_due"))
        .replace("{byHeld}", dialect.forcedIndex("idx_held"))
        .replace("{byId}", dialect.forcedIndex("PRIMARY"))
        .replace("{lock}", dialect.lockingClause());
  }
}
