package outbox.jdbc;

import holdfast.jdbc.LedgerCounters.Counter;
import holdfast.jdbc.Sql;
import holdfast.problems.Problems;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Removes finished events by the time they were finished, on the database's clock, in small batches
 * each in a short transaction. Dead ones are counted in the ledger, as lost. What is still to be
 * delivered is never touched. Locked rows are passed over, so any number of nodes may purge at
 * once. Safe for use by many threads.
 */
final class Purge {
  /** How many events one transaction removes at most: {@value}. */
  static final int BATCH = 500;

  // Each batch begins where the one before ended: until the database has cleaned up, an index scan
  // from the beginning would pass over everything that was just deleted.
  private static final String DONE =
      """
      SELECT e.event_id, e.done_at FROM {table} e
       WHERE e.status = 1 AND e.done_at >= ? AND e.done_at < ?
       ORDER BY e.done_at LIMIT ? {lock}
      """;
  private static final String DEAD =
      "SELECT e.event_id FROM {table} e"
          + " WHERE e.status = 3 AND e.event_id > ? AND "
          + DeadEvents.DIED_AT
          + " < ?";
  // Without it, the events it holds back would go ahead.
  private static final String BLOCKS_NOBODY = " AND e.order_number IS NULL";
  private static final String BY_ID = " ORDER BY e.event_id LIMIT ?";
  private static final String LOCK_DEAD =
      """
      SELECT e.event_id FROM {table} e {byId}
       WHERE {among} AND e.status = 3
       ORDER BY e.event_id {lock}
      """;
  // One by one, though they are locked already: for a list of ids MariaDB may choose to read the
  // whole table, wait for rows that others have locked, and so end in a deadlock.
  private static final String DELETE = "DELETE FROM {table} WHERE event_id = ?";

  private record Done(String eventId, Instant at) {}

  private final UpkeepTransactions transactions;

  Purge(UpkeepTransactions transactions) {
    this.transactions = transactions;
  }

  /** Removes what is DONE for so long, until told to stop; returns how many. */
  long done(Duration olderThan, BooleanSupplier stop) {
    Instant before = timeBefore(olderThan);
    Instant from = Instant.EPOCH;
    long purged = 0;
    List<Done> batch;
    do {
      Instant start = from;
      batch = transactions.call("purge", (conn, table) -> purgeDone(conn, table, start, before));
      purged += batch.size();
      from = batch.isEmpty() ? from : batch.get(batch.size() - 1).at();
    } while (batch.size() == BATCH && !stop.getAsBoolean());
    return purged;
  }

  /** Removes what is DEAD for so long, but nothing that others wait for; returns how many. */
  long dead(Duration olderThan) {
    Instant before = timeBefore(olderThan);
    String after = "";
    long purged = 0;
    List<String> batch;
    do {
      String last = after;
      batch = transactions.call("purge", (conn, table) -> deadBatch(conn, table, last, before));
      if (!batch.isEmpty()) {
        List<String> ids = batch;
        purged += transactions.call("purge", (conn, table) -> purgeDead(conn, table, ids));
        after = ids.get(ids.size() - 1);
      }
    } while (batch.size() == BATCH);
    return purged;
  }

  private Instant timeBefore(Duration olderThan) {
    new Problems("purge").requireZeroOrMore("olderThan", olderThan).throwIfAny();
    return transactions.call("purge", (conn, table) -> table.now(conn)).minus(olderThan);
  }

  private List<Done> purgeDone(Connection conn, OutboxTable table, Instant from, Instant before)
      throws SQLException {
    List<Done> batch;
    try (Sql sql = table.sql(conn, DONE)) {
      batch =
          sql.bind(from)
              .bind(before)
              .bind(BATCH)
              .list(row -> new Done(row.string(), row.instant()));
    }
    delete(conn, table, batch.stream().map(Done::eventId).toList());
    return batch;
  }

  private List<String> deadBatch(Connection conn, OutboxTable table, String after, Instant before)
      throws SQLException {
    boolean blocks = transactions.settings().onDead() == OnDead.BLOCK;
    String text = DEAD + (blocks ? BLOCKS_NOBODY : "") + BY_ID;
    try (Sql sql = table.sql(conn, text)) {
      return sql.bind(after).bind(before).bind(BATCH).list(row -> row.string());
    }
  }

  private int purgeDead(Connection conn, OutboxTable table, List<String> ids) throws SQLException {
    List<String> locked;
    try (Sql sql = table.sqlAmong(conn, LOCK_DEAD, ids.size())) {
      locked = sql.bindAll(ids).list(row -> row.string());
    }
    delete(conn, table, locked);
    transactions.counters(conn).add(conn, Counter.LOST, locked.size());
    return locked.size();
  }

  private static void delete(Connection conn, OutboxTable table, List<String> ids)
      throws SQLException {
    try (Sql sql = table.sql(conn, DELETE)) {
      for (String id : ids) {
        sql.bind(id).addBatch();
      }
      sql.updateBatch();
    }
  }
}
