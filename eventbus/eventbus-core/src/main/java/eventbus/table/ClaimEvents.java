package eventbus.table;

import eventbus.Event;
import eventbus.EventStatus;
import holdfast.jdbc.ByteLimit;
import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import holdfast.work.SuspectGroup;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/**
 * Claims due events: looks what is first in line, locks rows in the order of the index, passing
 * over locked ones, and gives them a new token and an end of their claim. It locks no more than it
 * claims, and the limit stands in a query by itself, which no plan runs twice. Confined to one
 * call.
 *
 * <p>Suspects are looked for apart, in small groups: a worker that died may have left a thousand,
 * and one of them may be what killed it.
 */
final class ClaimEvents {
  static final String DUE =
      "SELECT "
          + EventTable.COLUMNS
          + """
      , {nowPlus} AS present
        FROM {events} e {byDue}
       WHERE e.type = ? AND e.priority = ? AND {waiting} AND e.available_at <= {nowPlus}
       ORDER BY e.type, e.priority, e.available_at, e.id LIMIT ? {lock}
      """;
  static final String SUSPECT =
      "SELECT "
          + EventTable.COLUMNS
          + """
      , {nowPlus} AS present
        FROM {events} e {byHeld}
       WHERE {held} AND {heldUntil} <= {nowPlus}%s
       ORDER BY {heldUntil}, e.id LIMIT ? {lock}
      """;
  private static final String PAYLOAD = "SELECT e.payload FROM {events} e WHERE e.id = ?";
  private static final String CLAIM =
      """
      UPDATE {events} e {byId}
         SET status = 'PROCESSING', attempts = attempts + 1, processing_started_at = ?,
             available_at = ?, claim_token = claim_token + 1, claimed_by = ?, lapses = ?,
             suspect_group = ?
       WHERE {among}
      """;

  private final Connection conn;
  private final EventTable table;
  private final ClaimRequest request;
  private final ByteLimit bytes;
  private final SuspectGroup group;
  private final List<Event> taken = new ArrayList<>();
  private final List<ClaimResult.Closed> closed = new ArrayList<>();

  ClaimEvents(Connection conn, EventTable table, ClaimRequest request) {
    this.conn = conn;
    this.table = table;
    this.request = request;
    this.bytes = new ByteLimit(request.maxBytes());
    this.group = new SuspectGroup(request.suspects());
  }

  /**
   * Claims.
   *
   * @param inFlight what the caller still has: it may have lapsed, and must not stand before others
   */
  ClaimResult claim(Supplier<List<Long>> inFlight) throws SQLException {
    boolean anyType = request.limitByType().isEmpty();
    Collection<String> types = anyType ? waitingTypes() : request.limitByType().keySet();
    NextDuePerType heads = NextDuePerType.of(conn, table, types);
    if (request.suspects().events() > 0 && request.limit() > 0 && heads.hasLapsed()) {
      takeSuspects(anyType ? request.leftOut() : types, !anyType, inFlight.get());
    }
    for (NextDuePerType.Head head : heads.due(request.busyTypes())) {
      int room = Math.min(request.limit() - taken.size(), roomFor(head.type()));
      if (room > 0 && head.priority() < request.below()) {
        takeDue(head, room);
      }
    }
    boolean full = taken.size() >= request.limit() || bytes.isReached();
    Duration untilNext = full ? Duration.ZERO : heads.untilNext(request.lease());
    return new ClaimResult(taken, group.size(), closed, untilNext);
  }

  private List<String> waitingTypes() throws SQLException {
    return NextDuePerType.waitingTypes(conn, table).stream()
        .filter(type -> !request.leftOut().contains(type))
        .toList();
  }

  private int roomFor(String type) {
    return request.limitByType().isEmpty()
        ? Integer.MAX_VALUE
        : request.limitByType().getOrDefault(type, 0) - countTaken(type);
  }

  private int countTaken(String type) {
    return (int) taken.stream().filter(event -> event.type().equals(type)).count();
  }

  private void takeDue(NextDuePerType.Head head, int limit) throws SQLException {
    List<EventRow> rows;
    try (Sql sql = table.sql(conn, DUE)) {
      rows =
          sql.bind(inline())
              .bind(table.clock().now())
              .bind(head.type())
              .bind(head.priority())
              .bind(table.clock().now())
              .bind(limit)
              .list(EventRow::read);
    }
    take(rows, 0, 0);
  }

  /** Takes suspects of these types, or of all but these. */
  private void takeSuspects(Collection<String> types, boolean ofThese, List<Long> inFlight)
      throws SQLException {
    String among =
        types.isEmpty()
            ? ""
            : (ofThese ? " AND e.type IN (" : " AND e.type NOT IN (")
                + String.join(", ", Collections.nCopies(types.size(), "?"))
                + ")";
    List<EventRow> rows;
    try (Sql sql = suspects(among, inFlight.size())) {
      sql.bind(inline()).bind(table.clock().now()).bind(table.clock().now());
      for (String type : types) {
        sql.bind(type);
      }
      if (!inFlight.isEmpty()) {
        sql.bindAll(inFlight);
      }
      int most = Math.min(request.suspects().events(), request.limit());
      rows = sql.bind(most).list(EventRow::read);
    }
    for (EventRow row : rows) {
      int lapses = Math.max(1, row.lapses());
      if (lapses > request.maxLapses()) {
        close(row, lost(lapses));
      } else if (roomFor(row.type()) > 0 && group.takes(row.suspectGroup())) {
        boolean now = request.startsNow();
        take(List.of(row), now ? row.lapses() + 1 : lapses, now ? 1 : row.suspectGroup());
      }
    }
  }

  private Sql suspects(String among, int inFlight) throws SQLException {
    return inFlight == 0
        ? table.sql(conn, SUSPECT.formatted(among))
        : table.sqlAmong(conn, SUSPECT.formatted(among + " AND NOT ({among})"), inFlight);
  }

  private static String lost(int lapses) {
    return "its worker died or hung "
        + lapses
        + " times while it handled the event; see why, then publish it again from the log";
  }

  private void take(List<EventRow> rows, int lapses, int suspectGroup) throws SQLException {
    List<Long> ids = new ArrayList<>();
    for (EventRow row : rows) {
      if (!bytes.passes(row.bytes())) {
        break;
      }
      try {
        String payload = row.payload() == null ? payload(row.id()) : row.payload();
        taken.add(row.claimedWith(lapses, payload));
        ids.add(row.id());
      } catch (IllegalArgumentException e) {
        close(row, "its headers cannot be read: " + e.getMessage());
      }
    }
    if (ids.isEmpty()) {
      return;
    }
    Instant now = rows.get(0).now();
    try (Sql sql = table.sqlAmong(conn, CLAIM, ids.size())) {
      sql.bind(now).bind(now.plus(request.lease())).bind(request.worker()).bind(lapses);
      sql.bind(suspectGroup);
      sql.bindAll(ids).update();
    }
  }

  /** How many bytes a payload may have to be read with its row: all rows together fit then. */
  private long inline() {
    return request.maxBytes() / Math.max(1, request.limit());
  }

  private String payload(long id) throws SQLException {
    try (Sql sql = table.sql(conn, PAYLOAD)) {
      return sql.bind(id)
          .first(Row::string)
          .orElseThrow(() -> new SQLException("a locked row has gone: " + id));
    }
  }

  private void close(EventRow row, String error) throws SQLException {
    Finish finish = new Finish(row.id(), row.token(), row.attempts(), EventStatus.FAILED, error);
    FinishEvents.finish(conn, table, List.of(finish));
    closed.add(new ClaimResult.Closed(row.id(), row.type(), error));
  }
}
