package holdfast.jdbc;

import static java.lang.System.Logger.Level.INFO;

import holdfast.ledger.LedgerSnapshot;
import holdfast.lifecycle.BoundedCall;
import holdfast.lifecycle.Threads;
import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The ledger of all nodes together: what {@link LedgerCounters} have counted as accepted, delivered
 * and lost, beside the rows that are still there. Immutable.
 *
 * <p>One statement reads all of it and sees one moment of all tables; what changes a row changes
 * its counter in the same transaction. So nothing is unaccounted for at any moment, unless rows
 * were changed by other means.
 *
 * @param library the library's name
 * @param places the names of the places that hold events, in order
 * @param held selects each of these names and the number of its rows
 * @param lossReason the reason for which purged events are lost
 */
public record TableLedger(String library, List<String> places, String held, String lossReason) {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final String COUNTERS =
      """
      SELECT 'accepted', COALESCE(SUM(c.accepted), 0) FROM {counts} c
      UNION ALL
      SELECT 'delivered', COALESCE(SUM(c.delivered), 0) FROM {counts} c
      UNION ALL
      SELECT 'lost', COALESCE(SUM(c.lost), 0) FROM {counts} c
      """;

  /** Reads the ledger. */
  public LedgerSnapshot read(Connection conn, SqlTable table) throws SQLException {
    Map<String, Long> numbers = new HashMap<>();
    try (Sql sql = table.sql(conn, held + "UNION ALL\n" + COUNTERS)) {
      sql.list(row -> numbers.put(row.string(), row.longValue()));
    }
    Map<String, Long> rows = new LinkedHashMap<>();
    places.forEach(place -> rows.put(place, numbers.getOrDefault(place, 0L)));
    return new LedgerSnapshot(
        library,
        numbers.getOrDefault("accepted", 0L),
        0,
        numbers.getOrDefault("delivered", 0L),
        Map.of(lossReason, numbers.getOrDefault("lost", 0L)),
        rows,
        0); // one statement sees one moment of all tables
  }

  /**
   * Writes the ledger to the log, the last line of a node that closes. A database that does not
   * answer holds it up for a second at most.
   *
   * @param ledger reads the ledger
   * @param timeout what is left of the time for closing
   */
  public static void logLast(String library, Callable<LedgerSnapshot> ledger, Duration timeout) {
    System.Logger log = LibraryLogger.of(library);
    if (timeout.isZero() || timeout.isNegative()) {
      log.log(INFO, library + " closed, ledger of all nodes not read: no time was left for it");
      return;
    }
    Duration patience = timeout.compareTo(PATIENCE) < 0 ? timeout : PATIENCE;
    BoundedCall<LedgerSnapshot> reading =
        new BoundedCall<>(
            Threads.daemon(library + "-ledger"), ledger, patience, TimeSource.system());
    try {
      log.log(INFO, library + " closed, ledger of all nodes: " + reading.get().toLine());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      log.log(INFO, library + " closed, ledger of all nodes not read: " + e.getMessage());
    }
  }
}
