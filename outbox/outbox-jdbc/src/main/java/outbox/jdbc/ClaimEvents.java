package outbox.jdbc;

import holdfast.jdbc.ByteLimit;
import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import holdfast.work.SuspectGroup;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.model.Claim;
import outbox.model.ClaimRequest;
import outbox.model.ClaimResult;
import outbox.model.OutboxEvent;

/**
 * Claims due events: locks them in the order of an index, passing over locked ones; asks which of
 * them the node can take; and gives those a new token and lease. Safe for use by many threads.
 *
 * <p>Suspects are looked for apart, in small groups: a node that died may have left a thousand, and
 * they must not stand before everybody else. The index of due rows has them apart too: otherwise
 * each search would read all of the others first.
 */
final class ClaimEvents {
  private static final String DUE =
      """
      SELECT\s"""
          + OutboxTable.EVENT_COLUMNS_WITHOUT_LARGE
          + """
      , e.payload_encoding, {bytes}, e.claim_token, e.lapses, e.suspect_group,
        e.claimed_by, e.unhandled_since, e.failing_since, e.order_number,
        e.available_at, {nowPlus}
        FROM {table} e
       WHERE %s AND e.available_at <= {nowPlus}
      """;

  /** A new event must have been due for a time; one that was held before is no new one. */
  static final String OLD_ENOUGH =
      " AND (e.status = 2 OR e.claim_token > 0 OR e.claimed_by IS NOT NULL"
          + " OR e.available_at <= {nowPlus})\n";

  static final String HEAD =
      " AND (e.order_number IS NULL OR " + AggregateOrder.EARLIER + " IS NULL)\n";
  private static final String SOONEST_FIRST = " ORDER BY e.available_at, e.event_id LIMIT ? {lock}";
  // Mostly there is none, and this takes the database a fraction of the time of the whole search.
  private static final String FIRST_SUSPECT =
      """
      SELECT e.event_id FROM {table} e
       WHERE {suspect} AND e.available_at <= {nowPlus}
       ORDER BY e.available_at, e.event_id LIMIT 1
      """;
  private static final String CLAIM =
      """
      UPDATE {table} e {byId}
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
  static final String LOCK_RETRIES =
      """
      SELECT e.event_id FROM {table} e {byStatus}
       WHERE e.status = 2 AND e.event_type = ? AND {innocent} AND e.attempts > 0
         AND e.available_at > {nowPlus}
       LIMIT ? {lock}
      """;
  private static final String MAKE_DUE =
      "UPDATE {table} e {byId} SET available_at = {nowPlus} WHERE {among}";
  private static final String PAYLOAD = "SELECT e.payload FROM {table} e WHERE e.event_id = ?";
  private static final String NEXT =
      """
      SELECT MIN(firsts.due), {nowPlus}
        FROM (SELECT MIN(e.available_at) AS due FROM {table} e
               WHERE {innocent} AND e.available_at > {nowPlus}
              UNION ALL
              SELECT MIN(e.available_at) AS due FROM {table} e
               WHERE {suspect} AND e.available_at > {nowPlus}) firsts
      """;

  private final OutboxTable table;
  private final DatabaseClock clock;
  private final AggregateOrder order;
  private final String innocents;
  private final String suspects;

  ClaimEvents(OutboxTable table, OnDead onDead, AggregateOrder order) {
    this.table = table;
    this.clock = table.clock();
    this.order = order;
    String head = HEAD.formatted(onDead.openStatuses());
    this.innocents = DUE.formatted("{innocent}") + "%s" + head + SOONEST_FIRST;
    this.suspects = DUE.formatted("{suspect}") + "%s" + head + SOONEST_FIRST;
  }

  /** The statement that looks for events nobody is held responsible for. */
  String innocentsDue() {
    return table.fill(innocents.formatted(""));
  }

  /** The statement that tells whether there are suspects. */
  String firstSuspect() {
    return table.fill(FIRST_SUSPECT);
  }

  /** The statement that looks for suspects. */
  String suspectsDue() {
    return table.fill(suspects.formatted(""));
  }

  ClaimResult claim(Connection conn, ClaimRequest request, Predicate<String> reserve)
      throws SQLException {
    List<RowReading.Candidate> taken = new ArrayList<>();
    List<String> dead = new ArrayList<>();
    ByteLimit bytes = new ByteLimit(request.maxBytes());
    SuspectGroup group = new SuspectGroup(request.suspects());
    if (request.suspects().events() > 0 && anySuspects(conn)) {
      takeSuspects(conn, request, group, bytes, reserve, taken, dead);
    }
    int room = request.limit() - taken.size();
    List<RowReading.Candidate> found = room > 0 ? due(conn, innocents, request, room) : List.of();
    for (RowReading.Candidate candidate : found) {
      if (hasRoom(candidate, request, taken)
          && bytes.passes(candidate.bytes())
          && reserve.test(candidate.event().eventId())) {
        taken.add(candidate);
      }
    }
    Map<Integer, List<RowReading.Candidate>> byLapses =
        taken.stream()
            .collect(
                Collectors.groupingBy(
                    RowReading.Candidate::lapsesOnClaim, TreeMap::new, Collectors.toList()));
    for (Map.Entry<Integer, List<RowReading.Candidate>> same : byLapses.entrySet()) {
      update(conn, same.getValue(), request, same.getKey());
    }
    boolean more = bytes.isReached() || (found.size() >= room && room > 0);
    Duration untilNext = more ? Duration.ZERO : untilNext(conn, request.terms().length());
    return new ClaimResult(claims(conn, request, taken), group.size(), dead, untilNext);
  }

  /** Only the time is changed: an ordered one still has to be the first of its aggregate. */
  int retryNow(Connection conn, String eventType, int limit) throws SQLException {
    List<String> ids;
    try (Sql sql = table.sql(conn, LOCK_RETRIES)) {
      ids = sql.bind(eventType).bind(clock.now()).bind(limit).list(Row::string);
    }
    if (!ids.isEmpty()) {
      try (Sql sql = table.sqlAmong(conn, MAKE_DUE, ids.size())) {
        sql.bind(clock.now()).bindAll(ids).update();
      }
    }
    return ids.size();
  }

  private boolean anySuspects(Connection conn) throws SQLException {
    try (Sql sql = table.sql(conn, FIRST_SUSPECT)) {
      return sql.bind(clock.now()).first(Row::string).isPresent();
    }
  }

  private void takeSuspects(
      Connection conn,
      ClaimRequest request,
      SuspectGroup group,
      ByteLimit bytes,
      Predicate<String> reserve,
      List<RowReading.Candidate> taken,
      List<String> dead)
      throws SQLException {
    int most = Math.min(request.suspects().events(), request.limit());
    for (RowReading.Candidate suspect : due(conn, suspects, request, most)) {
      String id = suspect.event().eventId();
      if (suspect.lapsesOnClaim() > request.maxLapses()) {
        bury(conn, suspect);
        dead.add(id);
      } else if (hasRoom(suspect, request, taken)
          && bytes.passes(suspect.bytes())
          && reserve.test(id)
          && group.takes(suspect.suspectGroup())) {
        taken.add(suspect);
      }
    }
  }

  private static boolean hasRoom(
      RowReading.Candidate candidate, ClaimRequest request, List<RowReading.Candidate> taken) {
    String type = candidate.event().eventType();
    Integer limit = request.limitByType().get(type);
    return limit == null
        || taken.stream().filter(other -> other.event().eventType().equals(type)).count() < limit;
  }

  private List<RowReading.Candidate> due(
      Connection conn, String which, ClaimRequest request, int limit) throws SQLException {
    boolean anyAge = request.minAge().isZero();
    List<String> full = request.fullTypes();
    String text = which.formatted((anyAge ? "" : OLD_ENOUGH) + notOfTypes(full.size()));
    try (Sql sql = table.sql(conn, text)) {
      sql.bind(inline(request)).bind(clock.now()).bind(clock.now());
      if (!anyAge) {
        sql.bind(clock.micros(request.minAge().negated()));
      }
      for (String type : full) {
        sql.bind(type);
      }
      return sql.bind(limit).list(RowReading::candidate);
    }
  }

  static String notOfTypes(int types) {
    return types == 0
        ? ""
        : " AND e.event_type NOT IN (" + String.join(", ", Collections.nCopies(types, "?")) + ")\n";
  }

  /** How many bytes a payload may have to be read with its row: all rows together fit then. */
  private static long inline(ClaimRequest request) {
    return request.maxBytes() / Math.max(1, request.limit());
  }

  private void update(
      Connection conn, List<RowReading.Candidate> rows, ClaimRequest request, int lapses)
      throws SQLException {
    List<String> ids = rows.stream().map(row -> row.event().eventId()).toList();
    try (Sql sql = table.sqlAmong(conn, CLAIM, ids.size())) {
      sql.bind(request.terms().node()).bind(clock.micros(request.terms().length())).bind(lapses);
      sql.bindAll(ids).update();
    }
  }

  private void bury(Connection conn, RowReading.Candidate suspect) throws SQLException {
    try (Sql sql = table.sql(conn, BURY)) {
      sql.bind(clock.now())
          .bind(
              "its node died or hung "
                  + suspect.lapses()
                  + " times while it was delivered; see why, then redeliver the event")
          .bind(suspect.event().eventId())
          .update();
    }
    if (suspect.ordered()) {
      order.wakeAfter(conn, List.of(suspect.event().eventId()));
    }
  }

  private Duration untilNext(Connection conn, Duration otherwise) throws SQLException {
    try (Sql sql = table.sql(conn, NEXT)) {
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

  private List<Claim> claims(
      Connection conn, ClaimRequest request, List<RowReading.Candidate> taken) throws SQLException {
    List<Claim> claims = new ArrayList<>();
    for (RowReading.Candidate row : taken) {
      OutboxEvent event = row.event();
      claims.add(claimOf(row, row.bytes() > inline(request) ? completed(conn, event) : event));
    }
    return claims;
  }

  private OutboxEvent completed(Connection conn, OutboxEvent event) throws SQLException {
    try (Sql sql = table.sql(conn, PAYLOAD)) {
      String payload =
          sql.bind(event.eventId())
              .first(row -> row.json())
              .orElseThrow(() -> new SQLException("a locked row has gone: " + event.eventId()));
      return RowReading.withPayload(event, payload);
    }
  }

  private static Claim claimOf(RowReading.Candidate row, OutboxEvent event) {
    Instant now = row.readAt();
    return new Claim(
        event,
        row.token() + 1,
        row.isSuspect(),
        since(row.unhandledSince(), now),
        since(row.failingSince(), now),
        Duration.between(row.dueSince(), now),
        row.ordered());
  }

  private static @Nullable Duration since(@Nullable Instant moment, Instant now) {
    return moment == null ? null : Duration.between(moment, now);
  }
}
