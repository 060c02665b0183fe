package eventbus.table;

import eventbus.LogFilter;
import holdfast.jdbc.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The condition on lines of the log and the values for its placeholders, gathered together so that
 * they stay in step. Confined to the thread that makes it.
 */
final class LogCondition {
  interface Binding {
    void bind(Sql sql) throws SQLException;
  }

  private final StringBuilder text = new StringBuilder();
  private final List<Binding> values = new ArrayList<>();

  static LogCondition of(LogFilter filter) {
    LogCondition condition = new LogCondition();
    if (filter.status() != null) {
      String status = filter.status().name();
      condition.and("e.status = ?", sql -> sql.bind(status));
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

  LogCondition and(String comparison, Binding... bound) {
    text.append(text.isEmpty() ? " WHERE " : " AND ").append(comparison);
    values.addAll(List.of(bound));
    return this;
  }

  void bind(Sql sql) throws SQLException {
    for (Binding value : values) {
      value.bind(sql);
    }
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
