package eventbus.table;

import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Dialect;
import holdfast.jdbc.LeasedRows;
import holdfast.jdbc.LedgerCounters;
import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import holdfast.jdbc.SqlTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/**
 * The words that differ between databases, in the statements of the bus. Safe for use by many
 * threads.
 *
 * <p>Statement texts are written with {@code {events}}, {@code {bytes}}, {@code {log}}, {@code
 * {counts}}, {@code {nowPlus}}, {@code {waiting}}, {@code {held}}, {@code {heldUntil}}, {@code
 * {byDue}}, {@code {byHeld}}, {@code {byId}} and {@code {lock}}, and filled in once.
 */
final class EventTable extends SqlTable {
  /**
   * The columns that make up an event, in the order {@link EventRow} reads them. A payload that is
   * too large is not read before the event is claimed.
   */
  static final String COLUMNS =
      "e.id, e.type, CASE WHEN {bytes} <= ? THEN e.payload END, {bytes}, e.headers, e.priority, e.attempts, e.failures, e.lapses, e.suspect_group,"
          + " e.claim_token, e.claimed_by, e.done_handlers, e.created_at, e.failing_since";

  /** Said as a range, for which H2 does not read the rows that have no such time. */
  private static final String NOT_NULL = "e.held_until >= TIMESTAMP '1970-01-01 00:00:00'";

  private final LedgerCounters counters;
  private final LeasedRows<Long> leasedRows;

  EventTable(Dialect dialect, TableNames names, DatabaseClock clock) {
    super(dialect, clock, "e.id", words(dialect, names));
    this.counters = new LedgerCounters(this, names.events());
    this.leasedRows =
        new LeasedRows<>(this, "{events}", "id", "e.status = 'PROCESSING'", Row::longValue);
  }

  private static Map<String, String> words(Dialect dialect, TableNames names) {
    boolean partial = dialect.supportsPartialIndex();
    return Map.of(
        "events", names.events().toString(),
        "log", names.log().toString(),
        "counts", LedgerCounters.counts(names.events()).toString(),
        "bytes", dialect.octets("e.payload"),
        "waiting", "e.claimed_by IS NULL AND e.lapses = 0",
        "held", partial ? "(e.claimed_by IS NOT NULL OR e.lapses > 0)" : NOT_NULL,
        "heldUntil", partial ? "e.available_at" : "e.held_until",
        "byDue", dialect.forcedIndex("idx_due"),
        "byHeld", dialect.forcedIndex("idx_held"));
  }

  /** The counters of the ledger. */
  LedgerCounters counters() {
    return counters;
  }

  /** The events that a worker has claimed. */
  LeasedRows<Long> leasedRows() {
    return leasedRows;
  }

  /** An INSERT for this table and database that hands the new ids back. */
  Sql sqlForIds(Connection conn, String text) throws SQLException {
    return dialect().sqlReturningKeys(conn, fill(text), "id");
  }
}
