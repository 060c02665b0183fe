package holdfast.jdbc;

import static holdfast.jdbc.ColumnKind.MOMENT;
import static holdfast.jdbc.ColumnKind.TEXT;
import static holdfast.jdbc.Right.DELETE;
import static holdfast.jdbc.Right.INSERT;
import static holdfast.jdbc.Right.SELECT;
import static holdfast.jdbc.Right.UPDATE;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Checks the tables of nodes and of paused types beside a table of events, before they are used.
 * Immutable; safe for use by many threads.
 *
 * @param events the table of events
 * @param typeColumn the column of types
 * @param folder where the library's schema files are, for messages
 * @param claims whether the node takes events, and not only publishes
 */
public record NodeTableCheck(TableName events, String typeColumn, String folder, boolean claims) {

  /**
   * Checks both tables if they are there.
   *
   * @throws TableException if one is not as it must be
   * @throws SQLException if the database fails
   */
  public void requireIfThere(Connection conn, Dialect dialect) throws SQLException {
    if (!NodeTables.areThere(conn, events)) {
      return;
    }
    TableCheck nodes =
        check(NodeTables.nodes(events)).columns(TEXT, "node").columns(MOMENT, "seen_at");
    TableCheck pauses =
        check(NodeTables.pauses(events)).columns(TEXT, typeColumn).columns(MOMENT, "paused_at");
    if (claims) {
      nodes.rights("seen_at", SELECT, INSERT, UPDATE, DELETE);
      pauses.rights("paused_at", SELECT);
    }
    nodes.require(conn, dialect);
    pauses.require(conn, dialect);
  }

  private TableCheck check(TableName table) {
    return TableCheck.of(table, "createTables()", folder);
  }
}
