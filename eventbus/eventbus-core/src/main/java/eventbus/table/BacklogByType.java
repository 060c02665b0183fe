package eventbus.table;

import eventbus.Backlog;
import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/** What waits in the table, by type. Stateless. */
final class BacklogByType {
  private static final String BACKLOG =
      """
      SELECT e.type, SUM(CASE WHEN e.status = 'PENDING' THEN 1 ELSE 0 END),
             SUM(CASE WHEN e.status = 'PENDING' THEN 0 ELSE 1 END),
             SUM(CASE WHEN e.available_at <= {nowPlus} THEN 1 ELSE 0 END),
             MIN(e.created_at), {nowPlus}
        FROM {events} e GROUP BY e.type ORDER BY e.type
      """;

  private BacklogByType() {}

  static Backlog backlog(Connection conn, EventTable table, Predicate<String> handled)
      throws SQLException {
    try (Sql sql = table.sql(conn, BACKLOG)) {
      List<Backlog.OfType> types =
          sql.bind(table.clock().now()).bind(table.clock().now()).list(row -> ofType(row, handled));
      return new Backlog(types);
    }
  }

  private static Backlog.OfType ofType(Row row, Predicate<String> handled) throws SQLException {
    String type = row.string();
    long pending = row.longValue();
    long processing = row.longValue();
    long due = row.longValue();
    Instant oldest = row.instant();
    Duration age = Duration.between(oldest, row.instant());
    return new Backlog.OfType(
        type, pending, processing, due, age.isNegative() ? Duration.ZERO : age, handled.test(type));
  }
}
