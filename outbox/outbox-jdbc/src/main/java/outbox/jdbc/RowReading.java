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
      long token,
      int lapses,
      boolean claimed,
      @Nullable Instant unhandledSince,
      boolean ordered) {

    /** An earlier claim ran out, or one did before and no mark has cleared the event since. */
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
        row.json(),
        row.jsonOrNull(),
        row.intValue(),
        row.instant(),
        row.stringOrNull());
  }

  static Candidate candidate(Row row) throws SQLException {
    OutboxEvent event = event(row);
    long token = row.longValue();
    int lapses = row.intValue();
    boolean claimed = row.stringOrNull() != null;
    Instant unhandledSince = row.instantOrNull();
    return new Candidate(event, token, lapses, claimed, unhandledSince, row.longOrNull() != null);
  }
}
