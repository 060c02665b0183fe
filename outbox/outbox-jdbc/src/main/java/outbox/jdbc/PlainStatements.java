package outbox.jdbc;

import holdfast.jdbc.Sql;
import holdfast.work.ErrorText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;
import outbox.util.JsonCodec;

/**
 * The statements that need no more than the specification's columns, with the caller's clock and no
 * token. They touch only rows that are still to be delivered. Safe for use by many threads.
 */
final class PlainStatements {
  private static final String INSERT_NEW =
      """
      INSERT INTO {table} (event_id, event_type, aggregate_type, aggregate_id, tenant_id, payload,
        headers, status, attempts, available_at, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)
      """;
  private static final String MARK_DONE =
      "UPDATE {table} SET status = 1, done_at = ? WHERE event_id = ? AND status NOT IN (1, 3)";
  private static final String MARK_RETRY =
      """
      UPDATE {table}
         SET status = 2, attempts = attempts + 1, available_at = ?, last_error = ?
       WHERE event_id = ? AND status NOT IN (1, 3)
      """;
  private static final String MARK_DEAD =
      "UPDATE {table} SET status = 3, last_error = ? WHERE event_id = ? AND status NOT IN (1, 3)";
  private static final String POLL_PENDING =
      "SELECT "
          + OutboxTable.EVENT_COLUMNS
          + """
      , %s
        FROM {table} e
       WHERE e.status IN (0, 2) AND e.available_at <= ? AND e.created_at <= ?
       ORDER BY e.created_at, e.event_id
       LIMIT ?
      """;

  private final OutboxTable table;

  PlainStatements(OutboxTable table) {
    this.table = table;
  }

  void insertNew(Connection conn, EventEnvelope event, Instant now) throws SQLException {
    InsertEvents.requireShallow(table.dialect(), event);
    requirePlain(event);
    Instant at = event.availableAt();
    Duration after = event.deliverAfter();
    try (Sql sql = sql(conn, INSERT_NEW)) {
      sql.bind(event.eventId())
          .bind(event.eventType())
          .bind(event.aggregateType())
          .bind(event.aggregateId())
          .bind(event.tenantId())
          .bindJson(event.storedPayload())
          .bindJson(event.headers().isEmpty() ? null : JsonCodec.toJson(event.headers()))
          .bind(at != null ? at : after != null ? now.plus(after) : now)
          .bind(event.occurredAt())
          .update();
    }
  }

  int markDone(Connection conn, String eventId, Instant now) throws SQLException {
    try (Sql sql = sql(conn, MARK_DONE)) {
      return sql.bind(now).bind(eventId).update();
    }
  }

  int markRetry(Connection conn, String eventId, Instant nextAt, @Nullable String error)
      throws SQLException {
    try (Sql sql = sql(conn, MARK_RETRY)) {
      return sql.bind(nextAt).bind(ErrorText.cutOrNull(error)).bind(eventId).update();
    }
  }

  int markDead(Connection conn, String eventId, @Nullable String error) throws SQLException {
    try (Sql sql = sql(conn, MARK_DEAD)) {
      return sql.bind(ErrorText.cutOrNull(error)).bind(eventId).update();
    }
  }

  List<OutboxEvent> pollPending(
      Connection conn, Instant now, Duration skipRecent, int limit, boolean withEncoding)
      throws SQLException {
    String text = POLL_PENDING.formatted(withEncoding ? "e.payload_encoding" : "NULL");
    try (Sql sql = sql(conn, text)) {
      return sql.bind(now).bind(now.minus(skipRecent)).bind(limit).list(RowReading::event);
    }
  }

  private Sql sql(Connection conn, String text) throws SQLException {
    return table.sql(conn, text);
  }

  /** Throws unless the thirteen columns can keep the event. */
  private static void requirePlain(EventEnvelope event) {
    if (event.payloadJson() == null) {
      throw lacking("payload_encoding", "tells bytes from JSON", event);
    }
    if (event.isOrdered()) {
      throw lacking("order_number", "keeps the order", event);
    }
  }

  private static IllegalStateException lacking(String column, String use, EventEnvelope event) {
    return new IllegalStateException(
        "the table must have the column %s, which %s, but is the plain one, for %s; run OutboxSchema.upgrade"
            .formatted(column, use, event));
  }
}
