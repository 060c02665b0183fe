package outbox.jdbc;

import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import outbox.model.EventStatus;

/** Counts what was purged, in the transaction that purges it. Stateless. */
final class PurgedCounts {
  private static final String ADD = "UPDATE {purged} SET events = events + ? WHERE status = ?";

  private PurgedCounts() {}

  static void add(Connection conn, OutboxTable table, EventStatus status, int events)
      throws SQLException {
    try (Sql sql = table.dialect().sql(conn, table.fill(ADD))) {
      if (sql.bind((long) events).bind(status.code()).update() != 1) {
        throw new SQLException(
            "table %s must have a row of status %d but has none; run OutboxSchema.upgrade"
                .formatted(table.purged(), status.code()));
      }
    }
  }
}
