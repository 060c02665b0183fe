package holdfast.jdbc;

import holdfast.ledger.LedgerSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The ledger of all nodes together: the rows of a library's tables, by status, and the counts of
 * what was purged from them. Immutable.
 *
 * <p>All are read by one statement, which sees one moment of all tables; what moves from one to
 * another does so in one transaction. So what was accepted never seems to become less.
 *
 * @param library the library's name
 * @param counts selects each status, whether its rows are gone (1) or there (0), and their number
 * @param held the places of the statuses of rows that wait or are set aside, in order
 * @param delivered the status of delivered rows
 * @param lost the status whose purged rows are lost
 * @param reason the reason for that loss
 */
public record TableLedger(
    String library,
    String counts,
    Map<String, String> held,
    String delivered,
    String lost,
    String reason) {

  /** Reads the ledger. */
  public LedgerSnapshot read(Connection conn, SqlTable table) throws SQLException {
    Map<String, Long> there = new HashMap<>();
    Map<String, Long> gone = new HashMap<>();
    try (Sql sql = table.sql(conn, counts)) {
      sql.list(
          row -> {
            String status = row.string();
            return (row.intValue() == 1 ? gone : there).merge(status, row.longValue(), Long::sum);
          });
    }
    Map<String, Long> places = new LinkedHashMap<>();
    held.forEach((status, place) -> places.put(place, there.getOrDefault(status, 0L)));
    return new LedgerSnapshot(
        library,
        sum(there) + sum(gone),
        0,
        there.getOrDefault(delivered, 0L) + gone.getOrDefault(delivered, 0L),
        Map.of(reason, gone.getOrDefault(lost, 0L)),
        places,
        0); // one statement sees one moment of all rows
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
