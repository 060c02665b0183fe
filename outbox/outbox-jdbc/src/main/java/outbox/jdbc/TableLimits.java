package outbox.jdbc;

import holdfast.jdbc.Dialect;
import java.util.List;
import outbox.EventEnvelope;
import outbox.util.JsonCodec;

/**
 * Whether a table can keep events, asked before the first statement: a refusal by the database
 * would come in the middle of the business transaction, and would end it on PostgreSQL. Stateless.
 */
final class TableLimits {
  private TableLimits() {}

  /** Throws unless the full table of that database can keep the events. */
  static void require(Dialect dialect, List<EventEnvelope> events) {
    events.forEach(event -> requireShallow(dialect, event));
  }

  /** Throws unless a table with the specification's columns alone can keep the event. */
  static void requirePlain(Dialect dialect, EventEnvelope event) {
    requireShallow(dialect, event);
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

  private static void requireShallow(Dialect dialect, EventEnvelope event) {
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
