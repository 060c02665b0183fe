package eventbus.table;

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
import holdfast.jdbc.TableName;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * What a bus needs of its tables: columns with the right types, and rights. Immutable.
 *
 * @param names which tables
 * @param works whether the bus handles events, and not only publishes
 */
record TableRequirements(TableNames names, boolean works) {
  private static final String FOLDER = "eventbus/schema";

  /**
   * Checks the tables.
   *
   * @throws holdfast.jdbc.TableException if one is not as it must be
   * @throws SQLException if the database fails
   */
  void require(Connection conn) throws SQLException {
    Dialect dialect = Dialect.of(conn);
    requireEvents(conn, dialect);
    requireLog(conn, dialect);
    TableName counts = LedgerCounters.counts(names.events());
    LedgerCounters.require(check(counts), conn, dialect, works);
    new NodeTableCheck(names.events(), "type", FOLDER, works).requireIfThere(conn, dialect);
  }

  private static TableCheck check(TableName table) {
    return TableCheck.of(table, "createTables()", FOLDER);
  }

  private void requireEvents(Connection conn, Dialect dialect) throws SQLException {
    TableCheck events =
        check(names.events())
            .columns(
                NUMBER,
                "id",
                "priority",
                "attempts",
                "failures",
                "lapses",
                "suspect_group",
                "claim_token")
            .columns(TEXT, "type", "payload", "headers", "status", "claimed_by", "done_handlers")
            .columns(TEXT, "last_error")
            .columns(MOMENT, "available_at", "processing_started_at", "created_at", "failing_since")
            .rights("status", SELECT, INSERT);
    if (!dialect.supportsPartialIndex()) {
      events.columns(MOMENT, "held_until");
    }
    if (works) {
      events.rights("status", UPDATE, DELETE);
    }
    events.require(conn, dialect);
  }

  private void requireLog(Connection conn, Dialect dialect) throws SQLException {
    TableCheck log =
        check(names.log())
            .columns(NUMBER, "id", "attempts", "republished_as")
            .columns(TEXT, "type", "payload", "headers", "status", "error")
            .columns(MOMENT, "created_at", "finished_at");
    if (works) {
      log.rights("status", SELECT, INSERT, UPDATE, DELETE);
    }
    log.require(conn, dialect);
  }
}
