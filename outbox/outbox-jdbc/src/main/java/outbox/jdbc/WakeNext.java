package outbox.jdbc;

import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Makes the next event of an aggregate due once the one before it is closed, if it was set aside.
 * Must see what others have committed meanwhile: READ COMMITTED, after the mark. Safe for use by
 * many threads.
 */
final class WakeNext {
  // A subquery, because of a join PostgreSQL would read and sort all that wait.
  private static final String NEXT =
      """
      SELECT (SELECT CASE WHEN n.parked = 1 THEN n.event_id END
                FROM {table} n {byOrder}
               WHERE n.aggregate_type = c.aggregate_type AND n.aggregate_id = c.aggregate_id
                 AND n.{openNumber} >= c.order_number AND n.status IN (%s)
               ORDER BY n.{openNumber} LIMIT 1)
        FROM {table} c
       WHERE c.event_id = ? AND c.order_number IS NOT NULL
      """;
  private static final String WAKE =
      """
      UPDATE {table} SET parked = 0, available_at = {nowPlus}
       WHERE event_id = ? AND parked = 1 AND status = 0
      """;

  private final OutboxTable table;
  private final DatabaseClock clock;
  private final String next;
  private final String wake;

  WakeNext(OutboxTable table, DatabaseClock clock, OnDead onDead) {
    this.table = table;
    this.clock = clock;
    this.next = table.fill(NEXT.formatted(onDead.openStatuses()));
    this.wake = table.fill(WAKE);
  }

  /** Wakes what comes after these and tells how many that were; a dead event may block. */
  int after(Connection conn, List<String> closed) throws SQLException {
    int woken = 0;
    for (String id : closed) {
      Optional<String> waiting = waitingAfter(conn, id);
      if (waiting.isPresent()) {
        try (Sql sql = table.dialect().sql(conn, wake)) {
          woken += sql.bind(clock.now()).bind(waiting.get()).update();
        }
      }
    }
    return woken;
  }

  private Optional<String> waitingAfter(Connection conn, String id) throws SQLException {
    try (Sql sql = table.dialect().sql(conn, next)) {
      return sql.bind(id)
          .first(row -> Optional.ofNullable(row.stringOrNull()))
          .flatMap(waiting -> waiting);
    }
  }
}
