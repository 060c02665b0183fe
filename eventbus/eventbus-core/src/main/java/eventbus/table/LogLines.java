package eventbus.table;

import eventbus.Event;
import eventbus.EventStatus;
import eventbus.LogFilter;
import eventbus.LoggedEvent;
import eventbus.UnknownEventException;
import holdfast.jdbc.Condition;
import holdfast.jdbc.Row;
import holdfast.jdbc.RowReader;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the log, and makes new events of its lines. Stateless. */
final class LogLines {
  private static final String LINES =
      """
      SELECT e.id, e.type, e.attempts, e.created_at, e.status, e.error, e.finished_at,
             e.republished_as
        FROM {log} e
      """;
  private static final String COUNT = "SELECT COUNT(*) FROM {log} e";
  private static final String LAST = "SELECT MAX(e.id) FROM {log} e";
  private static final String IDS = "SELECT e.id FROM {log} e";
  private static final String LATEST_FIRST = " ORDER BY e.finished_at DESC, e.id DESC LIMIT ?";
  private static final String BY_ID = " ORDER BY e.id LIMIT ?";
  private static final String CONTENT =
      """
      SELECT e.id, e.type, e.payload, e.headers, e.republished_as FROM {log} e {byId}
       WHERE {among} ORDER BY e.id FOR UPDATE
      """;
  private static final String MARK = "UPDATE {log} SET republished_as = ? WHERE id = ?";

  private record Content(
      long id, String type, String payload, @Nullable String headers, boolean republished) {
    Event event() {
      return Event.builder(type).payload(payload).headers(EventRow.headers(headers)).build();
    }
  }

  private LogLines() {}

  static List<LoggedEvent> list(
      Connection conn, EventTable table, LogFilter filter, int limit, @Nullable LoggedEvent after)
      throws SQLException {
    Condition condition = condition(filter);
    if (after != null) {
      condition.and(
          "(e.finished_at < ? OR (e.finished_at = ? AND e.id < ?))",
          sql -> sql.bind(after.finishedAt()).bind(after.finishedAt()).bind(after.id()));
    }
    try (Sql sql = table.sql(conn, LINES + condition + LATEST_FIRST)) {
      condition.bind(sql);
      return sql.bind(limit).list(LogLines::line);
    }
  }

  static List<LoggedEvent> find(Connection conn, EventTable table, long id) throws SQLException {
    try (Sql sql = table.sql(conn, LINES + " WHERE e.id = ?")) {
      return sql.bind(id).list(LogLines::line);
    }
  }

  static long count(Connection conn, EventTable table, LogFilter filter) throws SQLException {
    return number(conn, table, COUNT, condition(filter));
  }

  /** The highest id that matches; 0 if none does. */
  static long lastId(Connection conn, EventTable table, LogFilter filter) throws SQLException {
    return number(conn, table, LAST, condition(filter));
  }

  /** The ids that match and were not published again, after one and up to another. */
  static List<Long> ids(
      Connection conn, EventTable table, LogFilter filter, long after, long last, int limit)
      throws SQLException {
    Condition condition =
        condition(filter)
            .and("e.republished_as IS NULL")
            .and("e.id > ?", sql -> sql.bind(after))
            .and("e.id <= ?", sql -> sql.bind(last));
    try (Sql sql = table.sql(conn, IDS + condition + BY_ID)) {
      condition.bind(sql);
      return sql.bind(limit).list(Row::longValue);
    }
  }

  /**
   * Publishes lines again, as new events.
   *
   * @param again whether also those that were published again before
   * @return the new ids, in the order of the old ones
   */
  static List<Long> republish(Connection conn, EventTable table, List<Long> ids, boolean again)
      throws SQLException {
    List<Content> contents;
    try (Sql sql = table.sqlAmong(conn, CONTENT, ids.size())) {
      contents =
          new ArrayList<>(
              sql.bindAll(ids)
                  .list(
                      row ->
                          new Content(
                              row.longValue(),
                              row.string(),
                              row.string(),
                              row.stringOrNull(),
                              row.longOrNull() != null)));
    }
    contents.removeIf(content -> content.republished() && !again);
    List<Long> made = InsertEvents.all(conn, table, contents.stream().map(Content::event).toList());
    try (Sql sql = table.sql(conn, MARK)) {
      for (int i = 0; i < made.size(); i++) {
        sql.bind(made.get(i)).bind(contents.get(i).id()).addBatch();
      }
      sql.updateBatch();
    }
    return made;
  }

  /** Publishes one line again. */
  static long republish(Connection conn, EventTable table, long id) throws SQLException {
    List<Long> made = republish(conn, table, List.of(id), true);
    if (made.isEmpty()) {
      throw new UnknownEventException(id);
    }
    return made.get(0);
  }

  private static Condition condition(LogFilter filter) {
    Condition condition = new Condition();
    EventStatus status = filter.status();
    if (status != null) {
      condition.and("e.status = ?", sql -> sql.bind(status.name()));
    }
    if (filter.type() != null) {
      condition.and("e.type = ?", sql -> sql.bind(filter.type()));
    }
    if (filter.finishedFrom() != null) {
      condition.and("e.finished_at >= ?", sql -> sql.bind(filter.finishedFrom()));
    }
    if (filter.finishedBefore() != null) {
      condition.and("e.finished_at < ?", sql -> sql.bind(filter.finishedBefore()));
    }
    return condition;
  }

  private static long number(Connection conn, EventTable table, String text, Condition condition)
      throws SQLException {
    RowReader<Long> reader =
        row -> {
          Long value = row.longOrNull();
          return value == null ? 0L : value;
        };
    try (Sql sql = table.sql(conn, text + condition)) {
      condition.bind(sql);
      return sql.first(reader).orElse(0L);
    }
  }

  private static LoggedEvent line(Row row) throws SQLException {
    return new LoggedEvent(
        row.longValue(),
        row.string(),
        row.intValue(),
        row.instant(),
        EventStatus.valueOf(row.string()),
        row.stringOrNull(),
        row.instant(),
        row.longOrNull());
  }
}
