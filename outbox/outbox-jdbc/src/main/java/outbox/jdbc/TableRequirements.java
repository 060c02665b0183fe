package outbox.jdbc;

import static holdfast.jdbc.ColumnKind.DOCUMENT;
import static holdfast.jdbc.ColumnKind.MOMENT;
import static holdfast.jdbc.ColumnKind.NUMBER;
import static holdfast.jdbc.ColumnKind.TEXT;
import static holdfast.jdbc.Right.DELETE;
import static holdfast.jdbc.Right.INSERT;
import static holdfast.jdbc.Right.SELECT;
import static holdfast.jdbc.Right.UPDATE;

import holdfast.jdbc.Dialect;
import holdfast.jdbc.LedgerCounters;
import holdfast.jdbc.NodeTableCheck;
import holdfast.jdbc.TableCheck;
import holdfast.jdbc.TableColumns;
import holdfast.jdbc.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/**
 * What an outbox needs of its tables: columns with the right types, and rights. Checked when it is
 * built, so that a mistake is named before the first event. Immutable.
 *
 * @param table which tables
 * @param changesRows whether this node delivers or purges, and not only publishes
 */
record TableRequirements(OutboxTable table, boolean changesRows) {
  private static final String CREATION = "createTables()";
  private static final String FOLDER = "outbox/jdbc/schema";

  /**
   * Checks the tables.
   *
   * @throws SQLException if one is not as it must be, or the database fails
   */
  void require(Connection conn) throws SQLException {
    TableName name = table.name();
    Dialect dialect = table.dialect();
    Set<String> columns = TableColumns.of(conn, name);
    boolean full = !columns.isEmpty() && OutboxTable.isFull(name, columns);
    OutboxTable.requireAllOrPlain(name, columns);
    TableCheck events = plain(name).rights("status", SELECT, INSERT);
    if (full) {
      addLeases(events, dialect);
    }
    if (changesRows) {
      events.rights("status", UPDATE);
    }
    if (changesRows && full) {
      events.rights("status", DELETE);
    }
    events.require(conn, dialect);
    if (full) {
      requireOthers(conn, dialect);
    }
  }

  private static TableCheck plain(TableName name) {
    return TableCheck.of(name, CREATION, FOLDER)
        .columns(TEXT, "event_id", "event_type", "aggregate_type", "aggregate_id", "tenant_id")
        .columns(DOCUMENT, "payload", "headers")
        .columns(NUMBER, "status", "attempts")
        .columns(MOMENT, "available_at", "created_at", "done_at")
        .columns(TEXT, "last_error");
  }

  private static void addLeases(TableCheck events, Dialect dialect) {
    events
        .columns(TEXT, "claimed_by", "payload_encoding")
        .columns(NUMBER, "claim_token", "lapses", "suspect_group", "order_number", "parked")
        .columns(MOMENT, "unhandled_since", "failing_since");
    if (!dialect.supportsPartialIndex()) {
      events.columns(NUMBER, "open_number", "pending");
    }
  }

  private void requireOthers(Connection conn, Dialect dialect) throws SQLException {
    TableCheck.of(table.orders(), CREATION, FOLDER)
        .columns(TEXT, "aggregate_type", "aggregate_id")
        .columns(NUMBER, "last_number")
        .rights("last_number", SELECT, INSERT, UPDATE)
        .require(conn, dialect);
    TableCheck counts = TableCheck.of(LedgerCounters.counts(table.name()), CREATION, FOLDER);
    LedgerCounters.require(counts, conn, dialect, changesRows);
    new NodeTableCheck(table.name(), "event_type", FOLDER, changesRows)
        .requireIfThere(conn, dialect);
  }
}
