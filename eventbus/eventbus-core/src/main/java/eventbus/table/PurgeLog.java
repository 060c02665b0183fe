package eventbus.table;

import eventbus.EventStatus;
import holdfast.jdbc.LedgerCounters.Counter;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * Removes lines of the log by the time they were finished, in batches. Failed events are counted in
 * the ledger, as lost. Locked lines are passed over, so any number of nodes may purge at once.
 * Stateless.
 */
final class PurgeLog {
  /** How many lines one transaction removes at most: {@value}. */
  static final int BATCH = 500;

  // Each batch begins where the one before ended: until the database has cleaned up, an index scan
  // from the beginning would pass over everything that was just deleted.
  private static final String FINISHED =
      """
      SELECT e.id, e.finished_at FROM {log} e
       WHERE e.status = ? AND e.finished_at >= ? AND e.finished_at < ?
       ORDER BY e.finished_at LIMIT ? {lock}
      """;
  // One by one, though they are locked already: for a list of ids MariaDB may choose to read the
  // whole table, wait for rows that others have locked, and so end in a deadlock.
  private static final String DELETE = "DELETE FROM {log} WHERE id = ?";

  /** A line that was removed. */
  record Line(long id, Instant finishedAt) {}

  private PurgeLog() {}

  static List<Line> batch(
      Connection conn, EventTable table, EventStatus status, Instant from, Instant before)
      throws SQLException {
    List<Line> lines;
    try (Sql sql = table.sql(conn, FINISHED)) {
      lines =
          sql.bind(status.name())
              .bind(from)
              .bind(before)
              .bind(BATCH)
              .list(row -> new Line(row.longValue(), row.instant()));
    }
    if (!lines.isEmpty()) {
      delete(conn, table, lines);
    }
    if (status == EventStatus.FAILED) {
      table.counters().add(conn, Counter.LOST, lines.size());
    }
    return lines;
  }

  private static void delete(Connection conn, EventTable table, List<Line> lines)
      throws SQLException {
    try (Sql sql = table.sql(conn, DELETE)) {
      for (Line line : lines) {
        sql.bind(line.id()).addBatch();
      }
      sql.updateBatch();
    }
  }
}
