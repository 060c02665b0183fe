package outbox.jdbc;

import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.LeaseTerms;
import outbox.model.OutboxEvent;
import outbox.util.JsonCodec;

/** Inserts events in status NEW, many in one statement. Safe for use by many threads. */
final class InsertEvents {
  private static final int COLUMNS = 12;
  private static final String INSERT =
      """
      INSERT INTO {table} (event_id, event_type, aggregate_type, aggregate_id, tenant_id, payload,
        headers, status, attempts, available_at, created_at, claimed_by, payload_encoding, order_number)
      VALUES
      """;
  private static final String ROW_AFTER = "(?, ?, ?, ?, ?, ?, ?, 0, 0, {nowPlus}, ?, ?, ?, ?)";
  private static final String ROW_AT = "(?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?)";

  private final OutboxTable table;
  private final DatabaseClock clock;
  private final OrderNumbers numbers;
  private final String insert;
  private final String rowAfter;
  private final String insertOne;

  InsertEvents(OutboxTable table) {
    this.table = table;
    this.clock = table.clock();
    this.numbers = new OrderNumbers(table);
    this.insert = table.fill(INSERT);
    this.rowAfter = table.fill(ROW_AFTER);
    this.insertOne = insert + rowAfter;
  }

  void insert(Connection conn, List<EventEnvelope> events, @Nullable LeaseTerms terms)
      throws SQLException {
    int most = table.dialect().maxRowsPerInsert(COLUMNS);
    for (int from = 0; from < events.size(); from += most) {
      insertRows(conn, events.subList(from, Math.min(from + most, events.size())), terms);
    }
  }

  private void insertRows(Connection conn, List<EventEnvelope> events, @Nullable LeaseTerms terms)
      throws SQLException {
    boolean ordered = events.stream().anyMatch(EventEnvelope::isOrdered);
    // Numbers first: their statements cannot run while this one is being bound.
    List<@Nullable Long> numbered = ordered ? numbers.take(conn, events) : List.of();
    try (Sql sql = table.dialect().sql(conn, text(events))) {
      for (int i = 0; i < events.size(); i++) {
        bind(sql, events.get(i), terms, ordered ? numbered.get(i) : null);
      }
      sql.update();
    }
  }

  private String text(List<EventEnvelope> events) {
    if (events.size() == 1 && events.get(0).availableAt() == null) {
      return insertOne;
    }
    return insert
        + events.stream()
            .map(event -> event.availableAt() == null ? rowAfter : ROW_AT)
            .collect(Collectors.joining(", "));
  }

  private void bind(Sql sql, EventEnvelope event, @Nullable LeaseTerms terms, @Nullable Long number)
      throws SQLException {
    boolean leased = terms != null && event.isImmediate();
    String payload = event.storedPayload();
    String headers = event.headers().isEmpty() ? null : JsonCodec.toJson(event.headers());
    sql.bind(event.eventId())
        .bind(event.eventType())
        .bind(event.aggregateType())
        .bind(event.aggregateId())
        .bind(event.tenantId())
        .bindJson(payload)
        .bindJson(headers);
    bindAvailable(sql, event, leased && terms != null ? terms.length() : null);
    sql.bind(event.occurredAt())
        .bind(leased && terms != null ? terms.node() : null)
        .bind(event.payloadJson() == null ? OutboxEvent.BASE64 : null)
        .bind(number);
  }

  private void bindAvailable(Sql sql, EventEnvelope event, @Nullable Duration lease)
      throws SQLException {
    Instant at = event.availableAt();
    if (at != null) {
      sql.bind(at);
      return;
    }
    Duration after = event.deliverAfter();
    Duration fromNow = lease != null ? lease : after != null ? after : Duration.ZERO;
    sql.bind(clock.micros(fromNow));
  }
}
