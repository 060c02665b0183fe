package outbox.jdbc;

import holdfast.jdbc.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The condition on dead rows and the values for its placeholders, gathered together so that they
 * stay in step. Confined to the thread that makes it.
 */
final class DeadCondition {
  /** When an event was given up. The specification's plain mark does not write down when. */
  static final String DIED_AT = "COALESCE(e.done_at, e.available_at)";

  private interface Binding {
    void bind(Sql sql) throws SQLException;
  }

  private final StringBuilder text = new StringBuilder(" WHERE e.status = 3");
  private final List<Binding> values = new ArrayList<>();

  static DeadCondition of(DeadFilter filter) {
    DeadCondition condition = new DeadCondition();
    condition.andText("e.event_type = ?", filter.eventType());
    condition.andText("e.tenant_id = ?", filter.tenantId());
    condition.andText("e.aggregate_type = ?", filter.aggregateType());
    condition.andText("e.aggregate_id = ?", filter.aggregateId());
    if (filter.diedFrom() != null) {
      condition.and(DIED_AT + " >= ?", sql -> sql.bind(filter.diedFrom()));
    }
    if (filter.diedBefore() != null) {
      condition.and(DIED_AT + " < ?", sql -> sql.bind(filter.diedBefore()));
    }
    return condition;
  }

  /** Narrows to what equals, precedes or follows a text; null leaves it as it is. */
  DeadCondition andText(String comparison, @Nullable String value) {
    return value == null ? this : and(comparison, sql -> sql.bind(value));
  }

  /** Narrows to what was dead at a moment, by the mark if it says when. */
  DeadCondition andDeadAt(Instant moment) {
    return and("(e.done_at IS NULL OR e.done_at <= ?)", sql -> sql.bind(moment));
  }

  private DeadCondition and(String comparison, Binding value) {
    text.append(" AND ").append(comparison);
    values.add(value);
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
