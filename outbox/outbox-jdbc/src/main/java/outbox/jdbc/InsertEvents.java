package outbox.jdbc;

import holdfast.jdbc.DatabaseClock;
import holdfast.jdbc.Dialect;
import holdfast.jdbc.LedgerCounters;
import holdfast.jdbc.LedgerCounters.Counter;
import holdfast.jdbc.Row;
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

/**
 * Inserts events in status NEW, many in one statement, and counts them in the ledger. Safe for use
 * by many threads.
 */
final class InsertEvents {
  private static final int COLUMNS = 12;
  private static final String INSERT =
      """
      INSERT INTO {table} (event_id, event_type, aggregate_type, aggregate_id, tenant_id, payload,
        headers, status, attempts, available_at, created_at, claimed_by, payload_encoding, order_number)
      VALUES
      """;
  private static final String EXISTS = "SELECT 1 FROM {table} WHERE event_id = ?";
  private static final String ROW_AFTER = "(?, ?, ?, ?, ?, ?, ?, 0, 0, {nowPlus}, ?, ?, ?, ?)";
  private static final String ROW_AT = "(?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?)";

  private final OutboxTable table;
  private final DatabaseClock clock;
  private final OrderNumbers numbers;
  private final LedgerCounters counters;
  private final int maxRows;
  private final String insert;
  private final String rowAfter;
  private final String insertOne;

  InsertEvents(OutboxTable table, LedgerCounters counters) {
    this.table = table;
    this.clock = table.clock();
    this.numbers = new OrderNumbers(table);
    this.counters = counters;
    this.maxRows = table.dialect().maxRowsPerInsert(COLUMNS);
    this.insert = table.fill(INSERT);
    this.rowAfter = table.fill(ROW_AFTER);
    this.insertOne = insert + rowAfter;
  }

  void insert(Connection conn, List<EventEnvelope> events, @Nullable LeaseTerms terms)
      throws SQLException {
    events.forEach(event -> requireShallow(table.dialect(), event));
    for (int from = 0; from < events.size(); from += maxRows) {
      insertRows(conn, events.subList(from, Math.min(from + maxRows, events.size())), terms);
    }
  }

  private void insertRows(Connection conn, List<EventEnvelope> events, @Nullable LeaseTerms terms)
      throws SQLException {
    boolean ordered = events.stream().anyMatch(EventEnvelope::isOrdered);
    // Numbers first: their statements cannot run while this one is being bound.
    List<@Nullable Long> numbered = ordered ? numbers.take(conn, events) : List.of();
    boolean counting = counters.countsInInsert();
    String text = text(events);
    try (Sql sql = table.dialect().sql(conn, counting ? counters.counting(text) : text)) {
      if (counting) {
        sql.bind((long) events.size());
      }
      for (int i = 0; i < events.size(); i++) {
        bind(sql, events.get(i), terms, ordered ? numbered.get(i) : null);
      }
      sql.update();
    }
    if (!counting) {
      counters.add(conn, Counter.ACCEPTED, events.size());
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
    LeaseTerms lease = event.isImmediate() ? terms : null;
    Instant at = event.availableAt();
    Duration after = event.deliverAfter();
    Duration fromNow = lease != null ? lease.length() : after != null ? after : Duration.ZERO;
    String payload = event.storedPayload();
    sql.bind(event.eventId())
        .bind(event.eventType())
        .bind(event.aggregateType())
        .bind(event.aggregateId())
        .bind(event.tenantId())
        .bindJson(payload)
        .bindJson(event.headers().isEmpty() ? null : JsonCodec.toJson(event.headers()));
    (at != null ? sql.bind(at) : sql.bind(clock.micros(fromNow)))
        .bind(event.occurredAt())
        .bind(lease != null ? lease.node() : null)
        .bind(event.payloadJson() == null ? OutboxEvent.BASE64 : null)
        .bind(number);
  }

  /** Whether the transaction still has an event that it has inserted. */
  boolean isThere(Connection conn, String eventId) throws SQLException {
    try (Sql sql = table.sql(conn, EXISTS)) {
      return sql.bind(eventId).first(Row::intValue).isPresent();
    }
  }

  /**
   * Throws unless the database can keep the payload. A refusal by the database would come in the
   * middle of the business transaction, and would end it on PostgreSQL.
   */
  static void requireShallow(Dialect dialect, EventEnvelope event) {
    String json = event.payloadJson();
    int most = dialect.maxJsonDepth();
    // Every level has an end as well: most payloads are too short to be too deep.
    if (json == null || json.length() / 2 <= most) {
      return;
    }
    int depth = JsonCodec.depth(json);
    if (depth > most) {
      throw new IllegalArgumentException(
          "payloadJson must be nested %d levels or fewer, which is what %s takes, but is nested %d in %s; publish it with payloadBytes"
              .formatted(most, dialect.name(), depth, event));
    }
  }
}
