package eventbus.table;

import eventbus.EventBusException;
import eventbus.EventStatus;
import eventbus.UnknownEventException;
import holdfast.jdbc.LedgerCounters.Counter;
import holdfast.jdbc.Row;
import holdfast.jdbc.Sql;
import holdfast.work.ErrorText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Moves events to the log: row and line change places in one transaction, if the token is still the
 * row's. Ids are locked in one order, so that two such statements do not wait for each other.
 * Stateless.
 */
final class FinishEvents {
  private static final String LOG_COLUMNS = "id, type, payload, headers, attempts, created_at";
  private static final String INTO_LOG =
      "INSERT INTO {log} (" + LOG_COLUMNS + ", status, error, finished_at)\n";
  private static final String MOVE =
      "WITH gone AS (DELETE FROM {events} e WHERE {among} AND e.claim_token = ? RETURNING "
          + LOG_COLUMNS
          + ")\n"
          + INTO_LOG
          + "SELECT "
          + LOG_COLUMNS
          + ", CAST(? AS VARCHAR), CAST(? AS VARCHAR), {nowPlus} FROM gone";
  private static final String LOCK =
      """
      SELECT e.id FROM {events} e {byId} WHERE {among} AND e.claim_token = ?
       ORDER BY e.id FOR UPDATE
      """;
  private static final String COPY =
      INTO_LOG
          + "SELECT e.id, e.type, e.payload, e.headers, e.attempts, e.created_at"
          + ", "
          + "{status}, {error}, {nowPlus} FROM {events} e {byId} WHERE {among}";
  private static final String DELETE = "DELETE FROM {events} WHERE id = ?";
  private static final String LOGGED =
      "SELECT e.id, e.status, e.attempts FROM {log} e WHERE {among}";
  private static final String ROW =
      "SELECT e.claim_token, e.attempts FROM {events} e {byId} WHERE e.id = ? FOR UPDATE";

  private record Outcome(long token, EventStatus status, @Nullable String error) {}

  private record Line(long id, EventStatus status, int attempts) {}

  /** How many events were closed, and which were refused; the others were closed before. */
  record Result(int moved, List<Finish> refused) {}

  private FinishEvents() {}

  /**
   * Closes events, except those whose claim has passed to another: they are refused. One that the
   * log shows as closed by the very same claim is not refused: it was said twice.
   */
  static Result finish(Connection conn, EventTable table, List<Finish> finishes)
      throws SQLException {
    Map<Outcome, List<Finish>> groups = new LinkedHashMap<>();
    finishes.stream()
        .sorted(Comparator.comparingLong(Finish::id))
        .forEach(f -> groups.computeIfAbsent(outcome(f), o -> new ArrayList<>()).add(f));
    List<Finish> refused = new ArrayList<>();
    int all = 0;
    for (Map.Entry<Outcome, List<Finish>> group : groups.entrySet()) {
      List<Long> ids = group.getValue().stream().map(Finish::id).toList();
      int moved =
          table.dialect().supportsChangesInWith()
              ? move(conn, table, ids, group.getKey())
              : copyAndDelete(conn, table, ids, group.getKey());
      if (group.getKey().status() == EventStatus.COMPLETED) {
        table.counters().add(conn, Counter.DELIVERED, moved);
      }
      all += moved;
      if (moved < ids.size()) {
        Map<Long, Line> lines = logged(conn, table, ids);
        group.getValue().stream()
            .filter(finish -> !isSaid(finish, lines.get(finish.id())))
            .forEach(refused::add);
      }
    }
    return new Result(all, refused);
  }

  /** Closes an event whoever has it; does nothing if it is closed like this already. */
  static void finish(Connection conn, EventTable table, long id, EventStatus status)
      throws SQLException {
    Optional<Finish> open;
    try (Sql sql = table.sql(conn, ROW)) {
      open =
          sql.bind(id).first(row -> new Finish(id, row.longValue(), row.intValue(), status, null));
    }
    if (open.isPresent()) {
      finish(conn, table, List.of(open.get()));
      return;
    }
    Line line = logged(conn, table, List.of(id)).get(id);
    if (line == null) {
      throw new UnknownEventException(id);
    }
    requireSame(line, status);
  }

  /** Whether a claim may close its event, for which {@link #finish} found no row of its token. */
  static void requireKnown(Connection conn, EventTable table, Finish finish) throws SQLException {
    Line line = logged(conn, table, List.of(finish.id())).get(finish.id());
    if (line != null && line.attempts() == finish.attempts()) {
      requireSame(line, finish.status());
    }
    if (line == null) {
      try (Sql sql = table.sql(conn, ROW)) {
        if (sql.bind(finish.id()).first(Row::longValue).isEmpty()) {
          throw new UnknownEventException(finish.id());
        }
      }
    }
  }

  private static void requireSame(Line line, EventStatus status) {
    if (line.status() != status) {
      throw new EventBusException(
          "event %d must be open to be closed as %s but was closed as %s; publish it again with log().republish(...)"
              .formatted(line.id(), status, line.status()),
          null);
    }
  }

  private static Outcome outcome(Finish finish) {
    return new Outcome(finish.token(), finish.status(), ErrorText.cutOrNull(finish.error()));
  }

  private static boolean isSaid(Finish finish, @Nullable Line line) {
    return line != null && line.status() == finish.status() && line.attempts() == finish.attempts();
  }

  private static int move(Connection conn, EventTable table, List<Long> ids, Outcome outcome)
      throws SQLException {
    try (Sql sql = table.sqlAmong(conn, MOVE, ids.size())) {
      return sql.bindAll(ids)
          .bind(outcome.token())
          .bind(outcome.status().name())
          .bind(outcome.error())
          .bind(table.clock().now())
          .update();
    }
  }

  private static int copyAndDelete(
      Connection conn, EventTable table, List<Long> ids, Outcome outcome) throws SQLException {
    List<Long> locked;
    try (Sql sql = table.sqlAmong(conn, LOCK, ids.size())) {
      locked = sql.bindAll(ids).bind(outcome.token()).list(Row::longValue);
    }
    if (locked.isEmpty()) {
      return 0;
    }
    String text = table.dialect().textPlaceholder();
    String copy = COPY.replace("{status}", text).replace("{error}", text);
    try (Sql sql = table.sqlAmong(conn, copy, locked.size())) {
      sql.bind(outcome.status().name())
          .bind(outcome.error())
          .bind(table.clock().now())
          .bindAll(locked)
          .update();
    }
    // One by one, though they are locked already: for a list of ids MariaDB may choose to read the
    // whole table, wait for rows that others have locked, and so end in a deadlock.
    try (Sql sql = table.sql(conn, DELETE)) {
      for (long id : locked) {
        sql.bind(id).addBatch();
      }
      sql.updateBatch();
    }
    return locked.size();
  }

  private static Map<Long, Line> logged(Connection conn, EventTable table, List<Long> ids)
      throws SQLException {
    Map<Long, Line> lines = new HashMap<>();
    try (Sql sql = table.sqlAmong(conn, LOGGED, ids.size())) {
      sql.bindAll(ids)
          .list(row -> new Line(row.longValue(), EventStatus.valueOf(row.string()), row.intValue()))
          .forEach(line -> lines.put(line.id(), line));
    }
    return lines;
  }
}
