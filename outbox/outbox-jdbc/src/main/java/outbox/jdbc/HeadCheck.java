package outbox.jdbc;

import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Whether an ordered event is the next of its aggregate. Once it is, it stays so: earlier numbers
 * cannot come any more. Safe for use by many threads.
 */
final class HeadCheck {
  /**
   * The first event that {@code e} has to wait for. Asked for in the order of the index, because
   * with EXISTS or a join PostgreSQL would read the whole table where one aggregate has most of it.
   */
  static final String EARLIER =
      """
      (SELECT h.order_number FROM {table} h {byOrder}
        WHERE h.aggregate_type = e.aggregate_type AND h.aggregate_id = e.aggregate_id
          AND h.{openNumber} < e.order_number AND h.status IN (%s)
        ORDER BY h.{openNumber} LIMIT 1)
      """;

  private final OutboxTable table;
  private final String earlier;

  HeadCheck(OutboxTable table, OnDead onDead) {
    this.table = table;
    this.earlier =
        table.fill(
            "SELECT "
                + EARLIER.formatted(onDead.openStatuses())
                + " FROM {table} e WHERE e.event_id = ?");
  }

  boolean isHead(Connection conn, String eventId) throws SQLException {
    try (Sql sql = table.dialect().sql(conn, earlier)) {
      return !sql.bind(eventId).first(row -> row.longOrNull() != null).orElse(false);
    }
  }
}
