package outbox.jdbc;

import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Whether an ordered event is the next of its aggregate. Once it is, it stays so: earlier numbers
 * cannot come any more. Safe for use by many threads.
 */
final class HeadCheck {
  private static final String EARLIER =
      """
      SELECT 1 FROM {table} e JOIN {table} h {byOrder}
          ON h.aggregate_type = e.aggregate_type AND h.aggregate_id = e.aggregate_id
         AND h.{openNumber} < e.order_number AND h.status IN (%s)
       WHERE e.event_id = ?
       LIMIT 1
      """;

  private final OutboxTable table;
  private final String earlier;

  HeadCheck(OutboxTable table, OnDead onDead) {
    this.table = table;
    this.earlier = table.fill(EARLIER.formatted(onDead.openStatuses()));
  }

  boolean isHead(Connection conn, String eventId) throws SQLException {
    try (Sql sql = table.dialect().sql(conn, earlier)) {
      return sql.bind(eventId).first(row -> row.intValue()).isEmpty();
    }
  }
}
