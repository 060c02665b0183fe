package outbox.jdbc;

import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.ErrorText;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import outbox.model.Held;
import outbox.model.LeaseTerms;

/**
 * The marks of a node: each touches a row only while it is still to be delivered and the token is
 * still the row's. Ids are locked in one order, so that two statements cannot wait for each other.
 * Safe for use by many threads.
 */
final class FencedMarks {
  /**
   * Rows that are to be delivered, said by the status they have not: said by the one they have,
   * PostgreSQL would look for the ids in the index of such rows, which is full of those that have
   * just left it, and take three times as long.
   */
  private static final String STILL_HELD =
      " WHERE claim_token = ? AND status NOT IN (1, 3) AND {among}";

  private static final String DONE =
      "UPDATE {table} {byId} SET status = 1, done_at = {nowPlus}, claimed_by = NULL" + STILL_HELD;
  private static final String RENEW =
      "UPDATE {table} {byId} SET available_at = {nowPlus}, claimed_by = ?" + STILL_HELD;
  private static final String START =
      "UPDATE {table} {byId} SET available_at = {nowPlus}, claimed_by = ?, lapses = lapses + ?"
          + STILL_HELD;
  private static final String GIVE_BACK =
      "UPDATE {table} {byId} SET available_at = {nowPlus}, claimed_by = NULL, claim_token = claim_token + 1"
          + STILL_HELD;
  private static final String GIVE_BACK_UNHANDLED =
      """
      UPDATE {table} {byId}
         SET available_at = {nowPlus}, claimed_by = NULL, claim_token = claim_token + 1,
             unhandled_since = COALESCE(unhandled_since, {nowPlus})
      """
          + STILL_HELD;
  private static final String RETRY =
      """
      UPDATE {table} {byId}
         SET status = 2, attempts = attempts + 1, available_at = {nowPlus}, last_error = ?,
             claimed_by = NULL, claim_token = claim_token + 1, lapses = 0, unhandled_since = NULL
      """
          + STILL_HELD;
  private static final String DEAD =
      """
      UPDATE {table} {byId}
         SET status = 3, attempts = attempts + 1, done_at = {nowPlus}, last_error = ?,
             claimed_by = NULL, claim_token = claim_token + 1
      """
          + STILL_HELD;
  private static final String HELD = "SELECT event_id FROM {table} {byId}" + STILL_HELD;

  private final OutboxTable table;
  private final DatabaseClock clock;

  FencedMarks(OutboxTable table, DatabaseClock clock) {
    this.table = table;
    this.clock = clock;
  }

  int done(Connection conn, List<Held> held) throws SQLException {
    return forEachToken(conn, DONE, held, sql -> sql.bind(clock.now()));
  }

  int giveBack(Connection conn, List<Held> held, Duration delay) throws SQLException {
    return forEachToken(conn, GIVE_BACK, held, sql -> sql.bind(clock.micros(delay)));
  }

  boolean giveBackUnhandled(Connection conn, Held held, Duration delay) throws SQLException {
    return forEachToken(
            conn,
            GIVE_BACK_UNHANDLED,
            List.of(held),
            sql -> sql.bind(clock.micros(delay)).bind(clock.now()))
        > 0;
  }

  boolean retry(Connection conn, Held held, Duration delay, String error) throws SQLException {
    return forEachToken(
            conn,
            RETRY,
            List.of(held),
            sql -> sql.bind(clock.micros(delay)).bind(ErrorText.cutOrNull(error)))
        > 0;
  }

  boolean dead(Connection conn, Held held, String error) throws SQLException {
    return forEachToken(
            conn,
            DEAD,
            List.of(held),
            sql -> sql.bind(clock.now()).bind(ErrorText.cutOrNull(error)))
        > 0;
  }

  boolean start(Connection conn, Held held, LeaseTerms terms, boolean suspect) throws SQLException {
    return forEachToken(
            conn,
            START,
            List.of(held),
            sql -> sql.bind(clock.micros(terms.length())).bind(terms.node()).bind(suspect ? 1 : 0))
        > 0;
  }

  /** Renews and returns the ids that are held no more. */
  Set<String> renew(Connection conn, List<Held> held, LeaseTerms terms) throws SQLException {
    int renewed =
        forEachToken(
            conn, RENEW, held, sql -> sql.bind(clock.micros(terms.length())).bind(terms.node()));
    Set<String> lost = new HashSet<>();
    if (renewed < held.size()) {
      held.forEach(h -> lost.add(h.eventId()));
      for (Map.Entry<Long, List<String>> group : byToken(held).entrySet()) {
        try (Sql sql = table.sqlAmong(conn, HELD, group.getValue().size())) {
          sql.bind(group.getKey()).bindAll(group.getValue());
          sql.list(row -> row.string()).forEach(lost::remove);
        }
      }
    }
    return lost;
  }

  private interface Binding {
    void bind(Sql sql) throws SQLException;
  }

  private int forEachToken(Connection conn, String text, List<Held> held, Binding values)
      throws SQLException {
    int touched = 0;
    for (Map.Entry<Long, List<String>> group : byToken(held).entrySet()) {
      try (Sql sql = table.sqlAmong(conn, text, group.getValue().size())) {
        values.bind(sql);
        touched += sql.bind(group.getKey()).bindAll(group.getValue()).update();
      }
    }
    return touched;
  }

  private static Map<Long, List<String>> byToken(List<Held> held) {
    return held.stream()
        .sorted(java.util.Comparator.comparing(Held::eventId))
        .collect(
            Collectors.groupingBy(
                Held::token, TreeMap::new, Collectors.mapping(Held::eventId, Collectors.toList())));
  }
}
