package eventbus.table;

import eventbus.WaitingEvent;
import holdfast.jdbc.Condition;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the events that wait for their next attempt after a failure. Stateless. */
final class WaitingRows {
  static final String COUNT = "SELECT COUNT(*) FROM {events} e";
  static final String LIST =
      "SELECT e.id, e.type, e.failures, e.failing_since, e.available_at, e.last_error"
          + " FROM {events} e";
  static final String BY_ID = " ORDER BY e.id LIMIT ?";

  private WaitingRows() {}

  static long count(Connection conn, EventTable table, @Nullable String type) throws SQLException {
    Condition condition = condition(type);
    try (Sql sql = table.sql(conn, COUNT + condition)) {
      condition.bind(sql);
      return sql.first(row -> row.longValue()).orElse(0L);
    }
  }

  static List<WaitingEvent> list(
      Connection conn, EventTable table, @Nullable String type, int limit, @Nullable Long after)
      throws SQLException {
    Condition condition = condition(type);
    if (after != null) {
      condition.and("e.id > ?", sql -> sql.bind(after));
    }
    try (Sql sql = table.sql(conn, LIST + condition + BY_ID)) {
      condition.bind(sql);
      return sql.bind(limit)
          .list(
              row ->
                  new WaitingEvent(
                      row.longValue(),
                      row.string(),
                      row.intValue(),
                      row.instant(),
                      row.instant(),
                      row.stringOrNull()));
    }
  }

  static Condition condition(@Nullable String type) {
    Condition condition =
        new Condition().and("e.failing_since IS NOT NULL").and("e.claimed_by IS NULL");
    return type == null ? condition : condition.and("e.type = ?", sql -> sql.bind(type));
  }
}
