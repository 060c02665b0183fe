package outbox.jdbc;

import holdfast.jdbc.Dialect;
import holdfast.jdbc.Sql;
import holdfast.jdbc.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The words that differ between databases, in the outbox's statements. Safe for use by many
 * threads.
 *
 * <p>Statement texts are written with {@code {table}}, {@code {orders}}, {@code {purged}}, {@code
 * {now}}, {@code {nowPlus}}, {@code {pending}}, {@code {innocent}}, {@code {suspect}}, {@code
 * {byOrder}}, {@code {openNumber}}, {@code {byId}} and {@code {lock}}, and filled in once. A list
 * of ids goes with {@code {byId}}: where many rows are in it, MariaDB would read and lock the whole
 * table.
 */
final class OutboxTable {
  /** The columns that make up a row for delivery, in the order {@link RowReading} reads them. */
  static final String EVENT_COLUMNS =
      "e.event_id, e.event_type, e.aggregate_type, e.aggregate_id, e.tenant_id, e.payload,"
          + " e.headers, e.attempts, e.created_at";

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
          "payload_encoding",
          "unhandled_since",
          "order_number",
          "parked");

  /**
   * Leaves room for the longest index name made from it, {@code …_idx_status_available}, within the
   * 63 characters of PostgreSQL. It would cut longer ones without a word, until two are the same.
   */
  private static final int MAX_NAME = 42;

  private final Dialect dialect;
  private final TableName table;
  private final ConcurrentMap<String, String> filled = new ConcurrentHashMap<>();

  OutboxTable(Dialect dialect, TableName table) {
    this.dialect = dialect;
    this.table = table;
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
              + "; it seems to be another table: take another name");
    }
    return columns.containsAll(ADDED);
  }

  Dialect dialect() {
    return dialect;
  }

  TableName name() {
    return table;
  }

  /** The table that numbers ordered events. */
  TableName orders() {
    return new TableName(table.schema(), table.name() + "_order");
  }

  /** The table that counts what was purged. */
  TableName purged() {
    return new TableName(table.schema(), table.name() + "_purged");
  }

  /** The statement for this table and database; made once for each text. */
  String fill(String text) {
    return filled.computeIfAbsent(text, this::filledIn);
  }

  private String filledIn(String text) {
    return text.replace("{table}", table.toString())
        .replace("{orders}", orders().toString())
        .replace("{purged}", purged().toString())
        .replace("{nowPlus}", dialect.utcNowPlusMicros())
        .replace("{now}", dialect.utcNow())
        .replace("{pending}", pending())
        .replace("{innocent}", pending(0))
        .replace("{suspect}", pending(1))
        .replace("{byOrder}", dialect.forcedIndex("idx_order"))
        .replace("{openNumber}", openNumber())
        .replace("{byId}", dialect.forcedIndex("PRIMARY"))
        .replace("{lock}", dialect.lockingClause());
  }

  /** A statement with {@code {among}} in its text, for so many ids. */
  Sql sqlAmong(Connection conn, String text, int ids) throws SQLException {
    return dialect.sql(conn, fill(text).replace("{among}", dialect.among("event_id", ids)));
  }

  /** The number of an event that is not done, as the index of waiting events has it. */
  private String openNumber() {
    return dialect.supportsPartialIndex() ? "order_number" : "open_number";
  }

  private String pending() {
    return dialect.supportsPartialIndex() ? "e.status IN (0, 2)" : "e.pending IN (0, 1)";
  }

  /**
   * What the index of due rows begins with: whether a claim has run out before, as an expression in
   * an index with a condition, or as a column where the database knows neither.
   */
  private String pending(int suspect) {
    return dialect.supportsPartialIndex()
        ? "e.status IN (0, 2) AND "
            + "(CASE WHEN e.claimed_by IS NULL AND e.lapses = 0 THEN 0 ELSE 1 END) = "
            + suspect
        : "e.pending = " + suspect;
  }
}
