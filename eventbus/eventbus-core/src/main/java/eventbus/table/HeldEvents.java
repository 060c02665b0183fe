package eventbus.table;

import eventbus.Claim;
import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a worker may do with events it holds, besides closing them; each statement touches a row
 * only while the token is still the row's. What lets go of an event moves the token on, so that a
 * word said twice, or late, touches nothing. Stateless.
 */
final class HeldEvents {
  private static final String STILL_HELD =
      " WHERE {among} AND e.claim_token = ? AND e.status = 'PROCESSING'";
  private static final String RENEW =
      "UPDATE {events} e {byId} SET available_at = {nowPlus}" + STILL_HELD;
  private static final String START =
      "UPDATE {events} e {byId} SET available_at = {nowPlus}, lapses = lapses + ?" + STILL_HELD;
  private static final String LET_GO =
      """
      UPDATE {events} e {byId}
         SET status = 'PENDING', available_at = {nowPlus}, processing_started_at = NULL,
             claimed_by = NULL, claim_token = claim_token + 1
      """;

  /** What was counted when a suspect started is taken back; a suspect it stays. */
  private static final String UNCOUNT = ", lapses = GREATEST(LEAST(lapses, 1), lapses - ?)";

  private static final String GIVE_BACK = LET_GO + UNCOUNT + STILL_HELD;
  private static final String GIVE_BACK_PARTLY_DONE =
      LET_GO + UNCOUNT + ", done_handlers = ?" + STILL_HELD;
  private static final String RETRY =
      LET_GO + ", failures = failures + 1, lapses = 0, done_handlers = ?" + STILL_HELD;
  private static final String HELD = "SELECT e.id FROM {events} e {byId}" + STILL_HELD;

  private HeldEvents() {}

  /** Renews and returns the ids that are held no more. */
  static Set<Long> renew(
      Connection conn, EventTable table, Collection<Claim> claims, Duration lease)
      throws SQLException {
    long micros = table.clock().micros(lease);
    int renewed = forEachToken(conn, table, RENEW, claims, sql -> sql.bind(micros));
    Set<Long> lost = new HashSet<>();
    if (renewed < claims.size()) {
      claims.forEach(claim -> lost.add(claim.id()));
      for (Map.Entry<Long, List<Long>> group : byToken(claims).entrySet()) {
        try (Sql sql = table.sqlAmong(conn, HELD, group.getValue().size())) {
          sql.bindAll(group.getValue())
              .bind(group.getKey())
              .list(Row::longValue)
              .forEach(lost::remove);
        }
      }
    }
    return lost;
  }

  /** Renews before the handlers run, and counts the start of a suspect; whether it is held. */
  static boolean start(
      Connection conn, EventTable table, Claim claim, Duration lease, boolean suspect)
      throws SQLException {
    long micros = table.clock().micros(lease);
    return forEachToken(
            conn, table, START, List.of(claim), sql -> sql.bind(micros).bind(suspect ? 1 : 0))
        > 0;
  }

  /** Gives events back unhandled; returns how many were held. */
  static int giveBack(
      Connection conn, EventTable table, Collection<Claim> claims, boolean uncounted)
      throws SQLException {
    long now = table.clock().now();
    return forEachToken(
        conn, table, GIVE_BACK, claims, sql -> sql.bind(now).bind(uncounted ? 1 : 0));
  }

  /** Gives back an event that some handlers are done with; whether it was held. */
  static boolean giveBack(
      Connection conn, EventTable table, Claim claim, Collection<String> done, boolean uncounted)
      throws SQLException {
    long now = table.clock().now();
    String handlers = EventRow.handlersText(done);
    return forEachToken(
            conn,
            table,
            GIVE_BACK_PARTLY_DONE,
            List.of(claim),
            sql -> sql.bind(now).bind(uncounted ? 1 : 0).bind(handlers))
        > 0;
  }

  /** Lets an event wait for another try after a failure; whether it was held. */
  static boolean retry(
      Connection conn, EventTable table, Claim claim, Duration delay, Collection<String> done)
      throws SQLException {
    long micros = table.clock().micros(delay);
    String handlers = EventRow.handlersText(done);
    return forEachToken(conn, table, RETRY, List.of(claim), sql -> sql.bind(micros).bind(handlers))
        > 0;
  }

  /** Binds what comes before the ids. */
  private interface Binding {
    void bind(Sql sql) throws SQLException;
  }

  private static int forEachToken(
      Connection conn, EventTable table, String text, Collection<Claim> claims, Binding values)
      throws SQLException {
    int touched = 0;
    for (Map.Entry<Long, List<Long>> group : byToken(claims).entrySet()) {
      try (Sql sql = table.sqlAmong(conn, text, group.getValue().size())) {
        values.bind(sql);
        touched += sql.bindAll(group.getValue()).bind(group.getKey()).update();
      }
    }
    return touched;
  }

  private static Map<Long, List<Long>> byToken(Collection<Claim> claims) {
    return claims.stream()
        .sorted(java.util.Comparator.comparingLong(Claim::id))
        .collect(
            Collectors.groupingBy(
                Claim::token, TreeMap::new, Collectors.mapping(Claim::id, Collectors.toList())));
  }
}
