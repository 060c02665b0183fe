package outbox.jdbc;

import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import outbox.model.Held;

/**
 * The order of events within an aggregate: whether it is an event's turn, which events are set
 * aside until theirs, and which one is woken when the one before it is closed. Safe for use by many
 * threads.
 *
 * <p>An event is set aside, so that not every claim reads it again, only while an earlier open one
 * of its aggregate is locked. A transaction that closes that one comes before, and then it is not
 * open any more, or after, and then sees what was set aside and wakes it; without the lock, one
 * that closes it at the same time would see nothing to wake. Every lock is taken skipping locked
 * rows, so this never waits and can be part of no deadlock.
 */
final class AggregateOrder {
  /** Nothing depends on its end but what people change by hand: a head that they deleted. */
  static final Duration PARK_TIME = Duration.ofMinutes(10);

  /** How many due events are read together: {@value}. */
  static final int WINDOW = 500;

  /**
   * The first event that {@code e} has to wait for. Asked for in the order of the index, because
   * with EXISTS or a join PostgreSQL would read the whole table where one aggregate has most of it.
   */
  static final String EARLIER =
      """
      (SELECT h.order_number FROM {table} h {byOrder}
        WHERE h.aggregate_type = e.aggregate_type AND h.aggregate_id = e.aggregate_id
          AND h.{openNumber} < e.order_number AND h.status IN (%s)
        ORDER BY h.{openNumber} LIMIT 1)
      """;

  private static final String BLOCKED =
      """
      SELECT e.event_id, e.aggregate_type, e.aggregate_id, e.order_number
        FROM (SELECT e.event_id, e.aggregate_type, e.aggregate_id, e.order_number, e.status
                FROM {table} e
               WHERE %s AND e.available_at <= {nowPlus} %s
               ORDER BY e.available_at, e.event_id LIMIT ?) e
       WHERE e.status = 0 AND e.order_number IS NOT NULL AND
      """
          + EARLIER
          + " IS NOT NULL";
  private static final String LOCK_EARLIER =
      """
      SELECT h.order_number FROM {table} h {byOrder}
       WHERE h.aggregate_type = ? AND h.aggregate_id = ? AND h.{openNumber} < ?
         AND h.status IN (%s)
       ORDER BY h.{openNumber} LIMIT 1 {lock}
      """;
  private static final String LOCK_DUE =
      """
      SELECT e.event_id FROM {table} e {byId}
       WHERE {among} AND e.status = 0 AND e.available_at <= {nowPlus}
       ORDER BY e.event_id {lock}
      """;
  private static final String LOCK_HELD =
      """
      SELECT e.event_id, e.aggregate_type, e.aggregate_id, e.order_number FROM {table} e
       WHERE e.event_id = ? AND e.claim_token = ? AND e.status = 0 AND e.order_number IS NOT NULL
       {lock}
      """;
  private static final String PARK =
      """
      UPDATE {table} e {byId}
         SET parked = 1, claimed_by = NULL, claim_token = claim_token + 1, available_at = {nowPlus}
       WHERE {among}
      """;
  // A subquery, because of a join PostgreSQL would read and sort all that wait.
  private static final String NEXT =
      """
      SELECT (SELECT CASE WHEN n.parked = 1 THEN n.event_id END
                FROM {table} n {byOrder}
               WHERE n.aggregate_type = c.aggregate_type AND n.aggregate_id = c.aggregate_id
                 AND n.{openNumber} >= c.order_number AND n.status IN (%s)
               ORDER BY n.{openNumber} LIMIT 1)
        FROM {table} c
       WHERE c.event_id = ? AND c.order_number IS NOT NULL
      """;
  private static final String WAKE =
      """
      UPDATE {table} SET parked = 0, available_at = {nowPlus}
       WHERE event_id = ? AND parked = 1 AND status = 0
      """;

  private record Aggregate(String type, String id) {}

  private record Waiting(String eventId, Aggregate aggregate, long number) {}

  private final OutboxTable table;
  private final DatabaseClock clock;
  private final String openStatuses;
  private final String earlier;
  private final String lockEarlier;
  private final String next;

  AggregateOrder(OutboxTable table, OnDead onDead) {
    this.table = table;
    this.clock = table.clock();
    this.openStatuses = onDead.openStatuses();
    this.earlier =
        "SELECT " + EARLIER.formatted(openStatuses) + " FROM {table} e WHERE e.event_id = ?";
    this.lockEarlier = LOCK_EARLIER.formatted(openStatuses);
    this.next = NEXT.formatted(openStatuses);
  }

  /**
   * Whether an ordered event is the next of its aggregate. Once it is, it stays so: earlier numbers
   * cannot come any more.
   */
  boolean isHead(Connection conn, String eventId) throws SQLException {
    try (Sql sql = table.sql(conn, earlier)) {
      return !sql.bind(eventId).first(row -> row.longOrNull() != null).orElse(false);
    }
  }

  /** Sets aside what is blocked among the first that are due; tells how many that were. */
  int parkDue(Connection conn, Duration minAge, Predicate<String> reserve) throws SQLException {
    // A lapsed one is no suspect: what is not head was never started.
    return park(conn, blocked(conn, "{innocent}", minAge), reserve)
        + park(conn, blocked(conn, "{suspect}", minAge), reserve);
  }

  /** Sets one event aside that the node holds; false if it does not, or its turn has come. */
  boolean park(Connection conn, Held held) throws SQLException {
    Optional<Waiting> waiting;
    try (Sql sql = table.sql(conn, LOCK_HELD)) {
      waiting = sql.bind(held.eventId()).bind(held.token()).first(AggregateOrder::waiting);
    }
    if (waiting.isEmpty()
        || lockEarlier(conn, waiting.get().aggregate(), waiting.get().number()).isEmpty()) {
      return false;
    }
    update(conn, List.of(held.eventId()));
    return true;
  }

  private List<Waiting> blocked(Connection conn, String which, Duration minAge)
      throws SQLException {
    boolean anyAge = minAge.isZero();
    String text = BLOCKED.formatted(which, anyAge ? "" : ClaimEvents.OLD_ENOUGH, openStatuses);
    try (Sql sql = table.sql(conn, text)) {
      sql.bind(clock.now());
      if (!anyAge) {
        sql.bind(clock.micros(minAge.negated()));
      }
      return sql.bind(WINDOW).list(AggregateOrder::waiting);
    }
  }

  private int park(Connection conn, List<Waiting> found, Predicate<String> reserve)
      throws SQLException {
    Map<Aggregate, List<Waiting>> byAggregate = new LinkedHashMap<>();
    found.forEach(w -> byAggregate.computeIfAbsent(w.aggregate(), a -> new ArrayList<>()).add(w));
    List<String> ids = new ArrayList<>();
    for (Map.Entry<Aggregate, List<Waiting>> line : byAggregate.entrySet()) {
      long last = line.getValue().stream().mapToLong(Waiting::number).max().orElse(0);
      Optional<Long> earlier = lockEarlier(conn, line.getKey(), last);
      if (earlier.isPresent()) {
        line.getValue().stream()
            .filter(waiting -> waiting.number() > earlier.get())
            .forEach(waiting -> ids.add(waiting.eventId()));
      }
    }
    List<String> locked = ids.isEmpty() ? List.of() : lockDue(conn, ids);
    List<String> mine = locked.stream().filter(reserve).toList();
    if (!mine.isEmpty()) {
      update(conn, mine);
    }
    return mine.size();
  }

  private Optional<Long> lockEarlier(Connection conn, Aggregate aggregate, long number)
      throws SQLException {
    try (Sql sql = table.sql(conn, lockEarlier)) {
      return sql.bind(aggregate.type())
          .bind(aggregate.id())
          .bind(number)
          .first(row -> row.longValue());
    }
  }

  private List<String> lockDue(Connection conn, List<String> ids) throws SQLException {
    try (Sql sql = table.sqlAmong(conn, LOCK_DUE, ids.size())) {
      return sql.bindAll(ids).bind(clock.now()).list(row -> row.string());
    }
  }

  private void update(Connection conn, List<String> ids) throws SQLException {
    try (Sql sql = table.sqlAmong(conn, PARK, ids.size())) {
      sql.bind(clock.micros(PARK_TIME)).bindAll(ids).update();
    }
  }

  private static Waiting waiting(Row row) throws SQLException {
    return new Waiting(row.string(), new Aggregate(row.string(), row.string()), row.longValue());
  }

  /**
   * Makes the next event of each closed one's aggregate due, if it was set aside; a dead event may
   * block. Must see what others have committed meanwhile: READ COMMITTED, after the outcomes.
   *
   * @return how many were woken
   */
  int wakeAfter(Connection conn, List<String> closed) throws SQLException {
    int woken = 0;
    for (String id : closed) {
      Optional<String> waiting = waitingAfter(conn, id);
      if (waiting.isPresent()) {
        try (Sql sql = table.sql(conn, WAKE)) {
          woken += sql.bind(clock.now()).bind(waiting.get()).update();
        }
      }
    }
    return woken;
  }

  private Optional<String> waitingAfter(Connection conn, String id) throws SQLException {
    try (Sql sql = table.sql(conn, next)) {
      return sql.bind(id)
          .first(row -> Optional.ofNullable(row.stringOrNull()))
          .flatMap(waiting -> waiting);
    }
  }
}
