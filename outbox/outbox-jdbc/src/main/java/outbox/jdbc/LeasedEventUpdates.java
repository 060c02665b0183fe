package outbox.jdbc;

import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.LeasedRows;
import holdfast.jdbc.LeasedRows.Leased;
import holdfast.jdbc.LedgerCounters;
import holdfast.jdbc.LedgerCounters.Counter;
import holdfast.jdbc.Row;
import holdfast.work.ErrorText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import outbox.model.Held;
import outbox.model.LeaseTerms;

/** Records the outcomes of a node and renews its leases. Safe for use by many threads. */
final class LeasedEventUpdates {
  /**
   * Rows that are to be delivered, said by the status they have not: said by the one they have,
   * PostgreSQL would look for the ids in the index of such rows, which is full of those that have
   * just left it, and take three times as long.
   */
  private static final String OPEN = "e.status NOT IN (1, 3)";

  private static final String DONE = "status = 1, done_at = {nowPlus}, claimed_by = NULL";
  private static final String RELEASE =
      "available_at = {nowPlus}, claimed_by = NULL, claim_token = claim_token + 1";
  private static final String RELEASE_UNHANDLED =
      RELEASE + ", unhandled_since = COALESCE(unhandled_since, {nowPlus})";
  private static final String RETRY =
      "status = 2, attempts = attempts + ?, last_error = ?, unhandled_since = NULL,"
          + " failing_since = COALESCE(failing_since, {nowPlus}), "
          + RELEASE
          + LeasedRows.CLEAR;
  private static final String DEAD =
      "status = 3, attempts = attempts + 1, done_at = {nowPlus}, last_error = ?,"
          + " claimed_by = NULL, claim_token = claim_token + 1";

  private final LeasedRows<String> rows;
  private final DatabaseClock clock;
  private final LedgerCounters counters;

  LeasedEventUpdates(OutboxTable table, LedgerCounters counters) {
    this.rows = new LeasedRows<>(table, "{table}", "event_id", OPEN, Row::string);
    this.clock = table.clock();
    this.counters = counters;
  }

  private static Leased<String> of(Held held) {
    return new Leased<>(held.eventId(), held.token());
  }

  private static List<Leased<String>> of(List<Held> held) {
    return held.stream().map(LeasedEventUpdates::of).toList();
  }

  Set<String> done(Connection conn, List<Held> held) throws SQLException {
    int done = rows.update(conn, DONE, of(held), rows::bindNow);
    counters.add(conn, Counter.DELIVERED, done);
    return done == held.size() ? Set.of() : rows.allBut(conn, "e.status = 1", of(held));
  }

  int release(Connection conn, List<Held> held, Duration delay, boolean uncounted)
      throws SQLException {
    long micros = clock.micros(delay);
    return rows.update(
        conn,
        RELEASE + LeasedRows.UNCOUNT,
        of(held),
        sql -> sql.bind(micros).bind(uncounted ? 1 : 0));
  }

  boolean releaseUnhandled(Connection conn, Held held, Duration delay) throws SQLException {
    long micros = clock.micros(delay);
    return rows.update(
        conn, RELEASE_UNHANDLED, of(held), sql -> sql.bind(micros).bind(clock.now()));
  }

  boolean retry(Connection conn, Held held, Duration delay, String error, boolean counted)
      throws SQLException {
    long micros = clock.micros(delay);
    return rows.update(
        conn,
        RETRY,
        of(held),
        sql ->
            sql.bind(counted ? 1 : 0)
                .bind(ErrorText.cutOrNull(error))
                .bind(clock.now())
                .bind(micros));
  }

  boolean dead(Connection conn, Held held, String error) throws SQLException {
    return rows.update(
        conn, DEAD, of(held), sql -> sql.bind(clock.now()).bind(ErrorText.cutOrNull(error)));
  }

  boolean start(Connection conn, Held held, LeaseTerms terms, int suspectGroup)
      throws SQLException {
    return rows.start(conn, of(held), terms.node(), terms.length(), suspectGroup);
  }

  Set<String> renew(Connection conn, List<Held> held, LeaseTerms terms) throws SQLException {
    return rows.renew(conn, of(held), terms.node(), terms.length());
  }
}
