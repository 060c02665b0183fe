package eventbus.table;

import eventbus.Backlog;
import eventbus.EventStatus;
import eventbus.LossReason;
import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import holdfast.ledger.LedgerSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The ledger of all nodes together, and the backlog. Stateless.
 *
 * <p>The ledger is read by one statement, which sees one moment of all tables; what moves from one
 * to the other does so in one transaction. So they balance at any moment.
 */
final class TableLedger {
  private static final String COUNTS =
      """
      SELECT e.status, 0 AS gone, COUNT(*) AS number FROM {events} e GROUP BY e.status
      UNION ALL
      SELECT l.status, 0 AS gone, COUNT(*) AS number FROM {log} l GROUP BY l.status
      UNION ALL
      SELECT p.status, 1 AS gone, p.events AS number FROM {purged} p
      """;
  private static final String BACKLOG =
      """
      SELECT e.type, SUM(CASE WHEN e.status = 'PENDING' THEN 1 ELSE 0 END),
             SUM(CASE WHEN e.status = 'PENDING' THEN 0 ELSE 1 END),
             SUM(CASE WHEN e.available_at <= {nowPlus} THEN 1 ELSE 0 END),
             MIN(e.created_at), {nowPlus}
        FROM {events} e GROUP BY e.type ORDER BY e.type
      """;

  private TableLedger() {}

  static LedgerSnapshot ledger(Connection conn, EventTable table) throws SQLException {
    Map<EventStatus, Long> rows = new EnumMap<>(EventStatus.class);
    Map<EventStatus, Long> purged = new EnumMap<>(EventStatus.class);
    try (Sql sql = table.sql(conn, COUNTS)) {
      sql.list(row -> note(row, rows, purged));
    }
    Map<String, Long> held = new LinkedHashMap<>();
    held.put("pending", count(rows, EventStatus.PENDING));
    held.put("processing", count(rows, EventStatus.PROCESSING));
    held.put("failed", count(rows, EventStatus.FAILED));
    return new LedgerSnapshot(
        "eventbus",
        sum(rows) + sum(purged),
        0,
        count(rows, EventStatus.COMPLETED) + count(purged, EventStatus.COMPLETED),
        Map.of(LossReason.PURGED_FAILED.code(), count(purged, EventStatus.FAILED)),
        held,
        0); // one statement sees one moment of all rows
  }

  private static boolean note(Row row, Map<EventStatus, Long> rows, Map<EventStatus, Long> purged)
      throws SQLException {
    EventStatus status = EventStatus.valueOf(row.string());
    boolean gone = row.intValue() == 1;
    (gone ? purged : rows).merge(status, row.longValue(), Long::sum);
    return gone;
  }

  private static long count(Map<EventStatus, Long> counts, EventStatus status) {
    return counts.getOrDefault(status, 0L);
  }

  private static long sum(Map<EventStatus, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

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
