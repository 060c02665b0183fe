package outbox.jdbc;

import holdfast.jdbc.Row;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import outbox.model.OutboxEvent;

/** Reads rows: {@link OutboxTable#EVENT_COLUMNS}, then the payload's encoding. Stateless. */
final class RowReading {

  /** A due row, with what decides whether and how it is claimed. */
  record Candidate(
      OutboxEvent event,
      long bytes,
      long token,
      int lapses,
      int suspectGroup,
      boolean claimed,
      @Nullable Instant unhandledSince,
      @Nullable Instant failingSince,
      boolean ordered,
      Instant dueSince,
      Instant readAt) {

    /** An earlier claim expired, or one did before and no outcome has cleared the event since. */
    boolean isSuspect() {
      return claimed || lapses > 0;
    }

    int lapsesOnClaim() {
      return claimed ? Math.max(1, lapses) : lapses;
    }
  }

  private RowReading() {}

  static OutboxEvent event(Row row) throws SQLException {
    return new OutboxEvent(
        row.string(),
        row.string(),
        row.stringOrNull(),
        row.stringOrNull(),
        row.stringOrNull(),
        payload(row.jsonOrNull()),
        row.jsonOrNull(),
        row.intValue(),
        row.instant(),
        row.stringOrNull());
  }

  /** A payload that is too large is not read with its row. */
  private static String payload(@Nullable String json) {
    return json == null ? "null" : json;
  }

  /** The event with its payload, which was read apart. */
  static OutboxEvent withPayload(OutboxEvent event, String payload) {
    return new OutboxEvent(
        event.eventId(),
        event.eventType(),
        event.aggregateType(),
        event.aggregateId(),
        event.tenantId(),
        payload,
        event.headers(),
        event.attempts(),
        event.createdAt(),
        event.payloadEncoding());
  }

  static Candidate candidate(Row row) throws SQLException {
    OutboxEvent event = event(row);
    long bytes = row.longValue();
    long token = row.longValue();
    int lapses = row.intValue();
    int suspectGroup = row.intValue();
    boolean claimed = row.stringOrNull() != null;
    Instant unhandledSince = row.instantOrNull();
    Instant failingSince = row.instantOrNull();
    boolean ordered = row.longOrNull() != null;
    return new Candidate(
        event,
        bytes,
        token,
        lapses,
        suspectGroup,
        claimed,
        unhandledSince,
        failingSince,
        ordered,
        row.instant(),
        row.instant());
  }
}
