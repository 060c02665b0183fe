package outbox.jdbc;

import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;

/**
 * Numbers the ordered events of each aggregate. The row that holds the last number stays locked
 * until the publishing transaction ends, so the order of numbers is the order of commits. Safe for
 * use by many threads.
 */
final class OrderNumbers {
  private static final String LAST =
      "SELECT last_number FROM {orders} WHERE aggregate_type = ? AND aggregate_id = ?";

  private final OutboxTable table;
  private final String countUp;

  OrderNumbers(OutboxTable table) {
    this.table = table;
    this.countUp =
        table
            .dialect()
            .insertOrCountUp(
                table.orders(), List.of("aggregate_type", "aggregate_id"), "last_number");
  }

  /** The number of each event, in order; null for those that are not ordered. */
  List<@Nullable Long> take(Connection conn, List<EventEnvelope> events) throws SQLException {
    List<@Nullable Long> numbers = new ArrayList<>();
    for (EventEnvelope event : events) {
      String type = event.aggregateType();
      String id = event.aggregateId();
      numbers.add(event.isOrdered() && type != null && id != null ? next(conn, type, id) : null);
    }
    return numbers;
  }

  long next(Connection conn, String type, String id) throws SQLException {
    try {
      countUp(conn, type, id);
    } catch (SQLIntegrityConstraintViolationException raced) {
      // Only H2: another transaction inserted the row while this statement waited; it is there now.
      countUp(conn, type, id);
    }
    try (Sql sql = table.sql(conn, LAST)) {
      return sql.bind(type)
          .bind(id)
          .first(row -> row.longValue())
          .orElseThrow(() -> new SQLException("the number of " + type + " " + id + " is gone"));
    }
  }

  private void countUp(Connection conn, String type, String id) throws SQLException {
    try (Sql sql = table.dialect().sql(conn, countUp)) {
      sql.bind(type).bind(id).update();
    }
  }
}
