package outbox.jdbc;

import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Dialect;
import holdfast.jdbc.LedgerCounters;
import holdfast.jdbc.SqlTable;
import holdfast.jdbc.TableName;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The words that differ between databases, in the outbox's statements. Safe for use by many
 * threads.
 *
 * <p>Statement texts are written with {@code {table}}, {@code {orders}}, {@code {counts}}, {@code
 * {bytes}}, {@code {pending}}, {@code {innocent}}, {@code {suspect}}, {@code {byOrder}}, {@code
 * {byStatus}} and {@code {openNumber}}.
 */
final class OutboxTable extends SqlTable {
  /** The columns that make up a row for delivery, in the order {@link RowReading} reads them. */
  static final String EVENT_COLUMNS = columns("e.payload");

  /** The same without payloads that are too large to be read before they are claimed. */
  static final String EVENT_COLUMNS_WITHOUT_LARGE =
      columns("CASE WHEN {bytes} <= ? THEN e.payload END");

  /** What every table of an outbox has. */
  private static final List<String> PLAIN =
      List.of(
          "event_id",
          "event_type",
          "aggregate_type",
          "aggregate_id",
          "tenant_id",
          "payload",
          "headers",
          "status",
          "attempts",
          "available_at",
          "created_at",
          "done_at",
          "last_error");

  /** What the full table has beyond the plain one. */
  private static final Set<String> ADDED =
      Set.of(
          "claimed_by",
          "claim_token",
          "lapses",
          "suspect_group",
          "payload_encoding",
          "unhandled_since",
          "failing_since",
          "order_number",
          "parked");

  /**
   * Leaves room for the longest index name made from it, {@code …_idx_status_available}, within the
   * 63 characters of PostgreSQL. It would cut longer ones without a word, until two are the same.
   */
  private static final int MAX_NAME = 42;

  private final TableName table;

  OutboxTable(Dialect dialect, TableName table, DatabaseClock clock) {
    super(dialect, clock, "e.event_id", words(dialect, table));
    this.table = table;
  }

  private static String columns(String payload) {
    return "e.event_id, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id, "
        + payload
        + ", e.headers, e.attempts, e.created_at";
  }

  private static Map<String, String> words(Dialect dialect, TableName table) {
    boolean partial = dialect.supportsPartialIndex();
    return Map.of(
        "table", table.toString(),
        "orders", orders(table).toString(),
        "counts", LedgerCounters.counts(table).toString(),
        "bytes", dialect.octets("e.payload"),
        "pending", partial ? "e.status IN (0, 2)" : "e.pending IN (0, 1)",
        "innocent", pending(partial, 0),
        "suspect", pending(partial, 1),
        "byOrder", dialect.forcedIndex("idx_order"),
        "byStatus", dialect.forcedIndex("idx_finished"),
        // The number of an event that is not done, as the index of waiting events has it.
        "openNumber", partial ? "order_number" : "open_number");
  }

  /**
   * The table of that name.
   *
   * @throws IllegalArgumentException if it is not a valid name, or too long for those made from it
   */
  static TableName named(String text) {
    TableName table = TableName.of(text);
    if (table.name().length() > MAX_NAME) {
      throw new IllegalArgumentException(
          "outbox table name must have %d characters or fewer, because names of indexes are made from it, but '%s' has %d; take a shorter one"
              .formatted(MAX_NAME, table.name(), table.name().length()));
    }
    return table;
  }

  /**
   * Whether these are the columns of the full table.
   *
   * @throws SQLException if they are not even those of the plain one: it is somebody else's table
   */
  static boolean isFull(TableName table, Set<String> columns) throws SQLException {
    List<String> missing = PLAIN.stream().filter(column -> !columns.contains(column)).toList();
    if (!missing.isEmpty()) {
      throw new SQLException(
          "table "
              + table
              + " must have the columns of an outbox but lacks "
              + String.join(", ", missing)
              + (missing.size() < PLAIN.size() / 2
                  ? "; add them as in outbox/jdbc/schema of the jar outbox-jdbc"
                  : "; it seems to be another table: take another name"));
    }
    return columns.containsAll(ADDED);
  }

  /**
   * Fails if the table has some of the columns for several nodes but not all: taken for the plain
   * one, it would be used without leases.
   */
  static void requireAllOrPlain(TableName table, Set<String> columns) throws SQLException {
    List<String> missing = ADDED.stream().filter(c -> !columns.contains(c)).sorted().toList();
    if (!missing.isEmpty() && missing.size() < ADDED.size()) {
      throw new SQLException(
          "table "
              + table
              + " must have all columns for several nodes, or none of them, but lacks "
              + String.join(", ", missing)
              + "; run OutboxSchema.upgrade, or add them as in outbox/jdbc/schema of the jar"
              + " outbox-jdbc");
    }
  }

  TableName name() {
    return table;
  }

  /** The table that numbers ordered events. */
  TableName orders() {
    return orders(table);
  }

  static TableName orders(TableName table) {
    return new TableName(table.schema(), table.name() + "_order");
  }

  /**
   * What the index of due rows begins with: whether a claim has run out before, as an expression in
   * an index with a condition, or as a column where the database knows neither.
   */
  private static String pending(boolean partial, int suspect) {
    return partial
        ? "e.status IN (0, 2) AND "
            + "(CASE WHEN e.claimed_by IS NULL AND e.lapses = 0 THEN 0 ELSE 1 END) = "
            + suspect
        : "e.pending = " + suspect;
  }
}
