package outbox.jdbc;

import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import outbox.model.Claim;
import outbox.model.ClaimRequest;
import outbox.model.ClaimResult;

/**
 * Claims due events: locks them in the order of an index, passing over locked ones; asks which of
 * them the node can take; and gives those a new token and lease. Safe for use by many threads.
 *
 * <p>Suspects are looked for apart, one at a time: a node that died may have left a thousand, and
 * they must not stand before everybody else. The index of due rows has them apart too: otherwise
 * each search would read all of the others first.
 */
final class ClaimEvents {
  private static final String DUE =
      """
      SELECT\s"""
          + OutboxTable.EVENT_COLUMNS
          + """
      , e.payload_encoding, e.claim_token, e.lapses, e.claimed_by, e.unhandled_since, e.order_number
        FROM {table} e
       WHERE %s AND e.available_at <= {nowPlus}
      """;
  static final String OLD_ENOUGH = " AND (e.status = 2 OR e.created_at <= {nowPlus})\n";
  static final String HEAD = " AND (e.order_number IS NULL OR " + HeadCheck.EARLIER + " IS NULL)\n";
  private static final String SOONEST_FIRST = " ORDER BY e.available_at, e.event_id LIMIT ? {lock}";
  private static final String CLAIM =
      """
      UPDATE {table} {byId}
         SET claim_token = claim_token + 1, claimed_by = ?, available_at = {nowPlus}, lapses = ?,
             parked = 0
       WHERE {among}
      """;
  private static final String BURY =
      """
      UPDATE {table}
         SET status = 3, done_at = {nowPlus}, claimed_by = NULL, claim_token = claim_token + 1,
             last_error = ?
       WHERE event_id = ?
      """;
  private static final String NEXT =
      """
      SELECT MIN(firsts.due), {nowPlus}
        FROM (SELECT MIN(e.available_at) AS due FROM {table} e
               WHERE {innocent} AND e.available_at > {nowPlus}
              UNION ALL
              SELECT MIN(e.available_at) AS due FROM {table} e
               WHERE {suspect} AND e.available_at > {nowPlus}) firsts
      """;

  private static final String NOW = "SELECT {nowPlus}";

  private final OutboxTable table;
  private final DatabaseClock clock;
  private final WakeNext wake;
  private final String innocents;
  private final String suspects;
  private final String bury;
  private final String next;
  private final String now;

  ClaimEvents(OutboxTable table, DatabaseClock clock, OnDead onDead) {
    this.table = table;
    this.clock = clock;
    this.wake = new WakeNext(table, clock, onDead);
    String head = HEAD.formatted(onDead.openStatuses());
    this.innocents = DUE.formatted("{innocent}") + "%s" + head + SOONEST_FIRST;
    this.suspects = DUE.formatted("{suspect}") + "%s" + head + SOONEST_FIRST;
    this.bury = table.fill(BURY);
    this.next = table.fill(NEXT);
    this.now = table.fill(NOW);
  }

  /** The statement that looks for events nobody is held responsible for. */
  String innocentsDue() {
    return table.fill(innocents.formatted(""));
  }

  /** The statement that looks for suspects. */
  String suspectsDue() {
    return table.fill(suspects.formatted(""));
  }

  ClaimResult claim(Connection conn, ClaimRequest request, Predicate<String> reserve)
      throws SQLException {
    List<RowReading.Candidate> taken = new ArrayList<>();
    List<String> dead = new ArrayList<>();
    if (request.withSuspect()) {
      takeSuspect(conn, request, reserve, taken, dead);
    }
    int room = request.limit() - taken.size();
    List<RowReading.Candidate> found = room > 0 ? due(conn, innocents, request, room) : List.of();
    found.stream().filter(c -> reserve.test(c.event().eventId())).forEach(taken::add);
    for (RowReading.Candidate candidate : taken) {
      if (candidate.isSuspect()) {
        update(conn, List.of(candidate), request, candidate.lapsesOnClaim());
      }
    }
    update(conn, taken.stream().filter(c -> !c.isSuspect()).toList(), request, 0);
    boolean more = found.size() >= room && room > 0;
    Duration untilNext = more ? Duration.ZERO : untilNext(conn, request.terms().length());
    return new ClaimResult(claims(conn, taken), dead, untilNext);
  }

  private void takeSuspect(
      Connection conn,
      ClaimRequest request,
      Predicate<String> reserve,
      List<RowReading.Candidate> taken,
      List<String> dead)
      throws SQLException {
    for (RowReading.Candidate suspect : due(conn, suspects, request, 1)) {
      if (suspect.lapsesOnClaim() > request.maxLapses()) {
        bury(conn, suspect);
        dead.add(suspect.event().eventId());
      } else if (reserve.test(suspect.event().eventId())) {
        taken.add(suspect);
      }
    }
  }

  private List<RowReading.Candidate> due(
      Connection conn, String which, ClaimRequest request, int limit) throws SQLException {
    // When it happened is the publisher's word and may lie ahead: asked only where an age is
    // wanted.
    boolean anyAge = request.minAge().isZero();
    String text = table.fill(which.formatted(anyAge ? "" : OLD_ENOUGH));
    try (Sql sql = table.dialect().sql(conn, text)) {
      sql.bind(clock.now());
      if (!anyAge) {
        sql.bind(clock.micros(request.minAge().negated()));
      }
      return sql.bind(limit).list(RowReading::candidate);
    }
  }

  private void update(
      Connection conn, List<RowReading.Candidate> rows, ClaimRequest request, int lapses)
      throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    List<String> ids = rows.stream().map(row -> row.event().eventId()).toList();
    try (Sql sql = table.sqlAmong(conn, CLAIM, ids.size())) {
      sql.bind(request.terms().node()).bind(clock.micros(request.terms().length())).bind(lapses);
      sql.bindAll(ids).update();
    }
  }

  private void bury(Connection conn, RowReading.Candidate suspect) throws SQLException {
    try (Sql sql = table.dialect().sql(conn, bury)) {
      sql.bind(clock.now())
          .bind(
              "its node died or hung "
                  + suspect.lapses()
                  + " times while it was delivered; see why, then redeliver the event")
          .bind(suspect.event().eventId())
          .update();
    }
    if (suspect.ordered()) {
      wake.after(conn, List.of(suspect.event().eventId()));
    }
  }

  private Duration untilNext(Connection conn, Duration otherwise) throws SQLException {
    try (Sql sql = table.dialect().sql(conn, next)) {
      return sql.bind(clock.now())
          .bind(clock.now())
          .bind(clock.now())
          .first(row -> between(row.instantOrNull(), row.instant(), otherwise))
          .orElse(otherwise);
    }
  }

  private static Duration between(@Nullable Instant due, Instant now, Duration otherwise) {
    return due == null ? otherwise : Duration.between(now, due);
  }

  /** The database is asked for the time only where it matters: the node's clock may be wrong. */
  private List<Claim> claims(Connection conn, List<RowReading.Candidate> taken)
      throws SQLException {
    boolean timeMatters = taken.stream().anyMatch(row -> row.unhandledSince() != null);
    Instant now = timeMatters ? now(conn) : Instant.EPOCH;
    return taken.stream().map(row -> claimOf(row, now)).toList();
  }

  private Instant now(Connection conn) throws SQLException {
    try (Sql sql = table.dialect().sql(conn, now)) {
      return sql.bind(clock.now()).first(Row::instant).orElseThrow();
    }
  }

  private static Claim claimOf(RowReading.Candidate row, Instant now) {
    Instant since = row.unhandledSince();
    return new Claim(
        row.event(),
        row.token() + 1,
        row.isSuspect(),
        since == null ? null : Duration.between(since, now),
        row.ordered());
  }
}
