package outbox.jdbc;

import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import holdfast.ledger.LedgerSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import outbox.model.EventStatus;

/**
 * The ledger of all nodes together: the rows of the table, by status, and the counts of what was
 * purged. Safe for use by many threads.
 *
 * <p>They are read by one statement, which sees one moment of both tables; a purge moves events
 * from one to the other in one transaction. So what was accepted never seems to become less.
 */
final class TableLedger {
  private static final String COUNTS =
      """
      SELECT e.status, 0 AS gone, COUNT(*) AS events FROM {table} e GROUP BY e.status
      UNION ALL
      SELECT p.status, 1 AS gone, p.events FROM {purged} p
      """;

  private final UpkeepTransactions transactions;

  TableLedger(UpkeepTransactions transactions) {
    this.transactions = transactions;
  }

  LedgerSnapshot read() {
    return transactions.call("read the ledger", TableLedger::read);
  }

  private static LedgerSnapshot read(Connection conn, OutboxTable table) throws SQLException {
    Map<EventStatus, Long> rows = new EnumMap<>(EventStatus.class);
    Map<EventStatus, Long> purged = new EnumMap<>(EventStatus.class);
    try (Sql sql = table.dialect().sql(conn, table.fill(COUNTS))) {
      sql.list(row -> note(row, rows, purged));
    }
    Map<String, Long> held = new LinkedHashMap<>();
    held.put("new", count(rows, EventStatus.NEW));
    held.put("retry", count(rows, EventStatus.RETRY));
    held.put("dead", count(rows, EventStatus.DEAD));
    return new LedgerSnapshot(
        "outbox",
        sum(rows) + sum(purged),
        0,
        count(rows, EventStatus.DONE) + count(purged, EventStatus.DONE),
        Map.of(LossReason.PURGED_DEAD.code(), count(purged, EventStatus.DEAD)),
        held,
        0); // one statement sees one moment of all rows
  }

  private static boolean note(Row row, Map<EventStatus, Long> rows, Map<EventStatus, Long> purged)
      throws SQLException {
    EventStatus status = EventStatus.of(row.intValue());
    boolean gone = row.intValue() == 1;
    (gone ? purged : rows).put(status, row.longValue());
    return gone;
  }

  private static long count(Map<EventStatus, Long> counts, EventStatus status) {
    return counts.getOrDefault(status, 0L);
  }

  private static long sum(Map<EventStatus, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
