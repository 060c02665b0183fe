package outbox.jdbc;

import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Makes dead events NEW again. They are locked first, passing over those that somebody else
 * redelivers or purges: waiting for them could end in a deadlock on MariaDB. Safe for use by many
 * threads.
 */
final class RedeliverEvents {
  private static final String LOCK_DEAD =
      """
      SELECT e.event_id, e.aggregate_type, e.aggregate_id, e.order_number FROM {table} e {byId}
       WHERE {among} AND e.status = 3
       ORDER BY e.event_id {lock}
      """;
  // One by one, though they are locked already: for a list of ids MariaDB may choose to read the
  // whole table, wait for rows that others have locked, and so end in a deadlock.
  private static final String REDELIVER =
      """
      UPDATE {table}
         SET status = 0, attempts = 0, lapses = 0, suspect_group = 0, unhandled_since = NULL, failing_since = NULL,
             claimed_by = NULL, claim_token = claim_token + 1, available_at = {nowPlus}, done_at = NULL,
             parked = 0
       WHERE event_id = ?
      """;
  private static final String RENUMBER = "UPDATE {table} SET order_number = ? WHERE event_id = ?";

  private record Dead(String eventId, String aggregateType, String aggregateId, boolean ordered) {}

  private final JdbcOutboxSettings settings;

  RedeliverEvents(JdbcOutboxSettings settings) {
    this.settings = settings;
  }

  /** Redelivers what is dead and not locked, and tells which that were. */
  List<String> redeliver(Connection conn, OutboxTable table, List<String> ids) throws SQLException {
    List<Dead> dead = lock(conn, table, ids);
    if (dead.isEmpty()) {
      return List.of();
    }
    if (settings.onDead() == OnDead.SKIP) {
      renumber(conn, table, dead);
    }
    try (Sql sql = table.sql(conn, REDELIVER)) {
      for (Dead event : dead) {
        sql.bind(settings.clock().now()).bind(event.eventId()).addBatch();
      }
      sql.updateBatch();
    }
    return dead.stream().map(Dead::eventId).toList();
  }

  private static List<Dead> lock(Connection conn, OutboxTable table, List<String> ids)
      throws SQLException {
    try (Sql sql = table.sqlAmong(conn, LOCK_DEAD, ids.size())) {
      return sql.bindAll(ids)
          .list(
              row ->
                  new Dead(
                      row.string(),
                      String.valueOf(row.stringOrNull()),
                      String.valueOf(row.stringOrNull()),
                      row.longOrNull() != null));
    }
  }

  /** Those after it have gone ahead, so it takes the next number as if it were published now. */
  private static void renumber(Connection conn, OutboxTable table, List<Dead> dead)
      throws SQLException {
    OrderNumbers numbers = new OrderNumbers(table);
    for (Dead event : dead) {
      if (event.ordered()) {
        long number = numbers.next(conn, event.aggregateType(), event.aggregateId());
        try (Sql sql = table.sql(conn, RENUMBER)) {
          sql.bind(number).bind(event.eventId()).update();
        }
      }
    }
  }
}
