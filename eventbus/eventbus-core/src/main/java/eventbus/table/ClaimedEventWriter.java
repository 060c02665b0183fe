package eventbus.table;

import eventbus.Claim;
import eventbus.Event;
import holdfast.jdbc.LeasedRows;
import holdfast.jdbc.LeasedRows.Leased;
import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * Updates events that a worker has claimed, within one transaction. What releases an event moves
 * the token on, so that an update sent twice, or late, changes nothing. Confined to the
 * transaction.
 */
public final class ClaimedEventWriter {
  private static final String RELEASE =
      "status = 'PENDING', available_at = {nowPlus}, processing_started_at = NULL,"
          + " claimed_by = NULL, claim_token = claim_token + 1";

  private static final String RELEASE_UNCOUNTED = RELEASE + LeasedRows.UNCOUNT;
  private static final String RELEASE_PARTLY_DONE = RELEASE_UNCOUNTED + ", done_handlers = ?";
  private static final String RETRY =
      RELEASE
          + LeasedRows.CLEAR
          + ", failures = failures + ?, done_handlers = ?, last_error = ?,"
          + " failing_since = COALESCE(failing_since, {nowPlus})";
  private static final String LOCK_RETRIES =
      """
      SELECT e.id FROM {events} e {byDue}
       WHERE e.type = ? AND e.priority = ? AND {waiting} AND e.available_at > {nowPlus}
         AND e.failures > 0
       ORDER BY e.type, e.priority, e.available_at, e.id LIMIT ? {lock}
      """;
  private static final String MAKE_DUE =
      "UPDATE {events} e {byId} SET available_at = {nowPlus} WHERE {among}";

  private final Connection conn;
  private final EventTable table;
  private final LeasedRows<Long> rows;

  /** What is done with claimed events, in one transaction. */
  @FunctionalInterface
  public interface Work {

    /** Does it. */
    void with(ClaimedEventWriter writer) throws SQLException;
  }

  ClaimedEventWriter(Connection conn, EventTable table) {
    this.conn = conn;
    this.table = table;
    this.rows = table.leasedRows();
  }

  private static Leased<Long> of(Claim claim) {
    return new Leased<>(claim.id(), claim.token());
  }

  private static List<Leased<Long>> of(Collection<Claim> claims) {
    return claims.stream().map(ClaimedEventWriter::of).toList();
  }

  /** Renews and returns the ids that the worker has lost. */
  Set<Long> renew(Collection<Claim> claims, String worker, Duration lease) throws SQLException {
    return rows.renew(conn, of(claims), worker, lease);
  }

  /** Renews before the handlers run, and notes the group of a suspect; false if it is lost. */
  boolean start(Claim claim, String worker, Duration lease, int suspectGroup) throws SQLException {
    return rows.start(conn, of(claim), worker, lease, suspectGroup);
  }

  /** Closes events and returns those that were refused. */
  public List<Finish> finish(List<Finish> finishes) throws SQLException {
    return finishes.isEmpty() ? List.of() : FinishEvents.finish(conn, table, finishes).refused();
  }

  /**
   * Lets an event wait for another try after a failure, and notes when that happened first.
   *
   * @param error why it failed
   * @param counted whether it counts as a failed attempt
   * @return false if it is lost
   */
  public boolean retry(
      Claim claim, Duration delay, Collection<String> done, String error, boolean counted)
      throws SQLException {
    long micros = table.clock().micros(delay);
    long now = table.clock().now();
    String handlers = EventRow.handlersText(done);
    return rows.update(
        conn,
        RETRY,
        of(claim),
        sql -> sql.bind(micros).bind(counted ? 1 : 0).bind(handlers).bind(error).bind(now));
  }

  /**
   * Makes events of a type due that wait after a failure. Those that no failed attempt was counted
   * for are left: their handler chose when.
   */
  int retryNow(String type, int limit) throws SQLException {
    int retried = 0;
    for (int p = Event.FIRST_PRIORITY; p <= Event.LAST_PRIORITY && retried < limit; p++) {
      retried += retryNow(type, p, limit - retried);
    }
    return retried;
  }

  private int retryNow(String type, int priority, int limit) throws SQLException {
    List<Long> ids;
    try (Sql sql = table.sql(conn, LOCK_RETRIES)) {
      sql.bind(type).bind(priority).bind(table.clock().now()).bind(limit);
      ids = sql.list(Row::longValue);
    }
    if (!ids.isEmpty()) {
      try (Sql sql = table.sqlAmong(conn, MAKE_DUE, ids.size())) {
        sql.bind(table.clock().now()).bindAll(ids).update();
      }
    }
    return ids.size();
  }

  /**
   * Releases an event that some handlers are done with.
   *
   * @param uncounted whether its start was counted, as that of a suspect is, and is not to count
   * @return false if it is lost
   */
  public boolean release(Claim claim, Collection<String> done, boolean uncounted)
      throws SQLException {
    long now = table.clock().now();
    String handlers = EventRow.handlersText(done);
    return rows.update(
        conn,
        RELEASE_PARTLY_DONE,
        of(claim),
        sql -> sql.bind(now).bind(uncounted ? 1 : 0).bind(handlers));
  }

  /**
   * Releases events unhandled.
   *
   * @param uncounted whether their start was counted, as that of a suspect is, and is not to count
   * @return how many were not lost
   */
  public int release(Collection<Claim> claims, boolean uncounted) throws SQLException {
    if (claims.isEmpty()) {
      return 0;
    }
    long now = table.clock().now();
    return rows.update(
        conn, RELEASE_UNCOUNTED, of(claims), sql -> sql.bind(now).bind(uncounted ? 1 : 0));
  }
}
