package eventbus.table;

import eventbus.Claim;
import eventbus.Event;
import holdfast.jdbc.Row;
import holdfast.json.StringMapJson;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row as it was found and locked, before it is claimed. Immutable.
 *
 * @param payload the payload; null if it is too large to be read with its row
 * @param bytes how many bytes the payload has
 * @param now the database's time when it was found
 */
record EventRow(
    long id,
    String type,
    @Nullable String payload,
    long bytes,
    @Nullable String headers,
    int priority,
    int attempts,
    int failures,
    int lapses,
    int suspectGroup,
    long token,
    boolean claimed,
    @Nullable String doneHandlers,
    Instant createdAt,
    @Nullable Instant failingSince,
    Instant now) {

  private static final String SEPARATOR = "\n"; // no handler's id has one

  /** Reads {@link EventTable#COLUMNS} and the time after them. */
  static EventRow read(Row row) throws SQLException {
    return new EventRow(
        row.longValue(),
        row.string(),
        row.stringOrNull(),
        row.longValue(),
        row.stringOrNull(),
        row.intValue(),
        row.intValue(),
        row.intValue(),
        row.intValue(),
        row.intValue(),
        row.longValue(),
        row.stringOrNull() != null,
        row.stringOrNull(),
        row.instant(),
        row.instantOrNull(),
        row.instant());
  }

  /**
   * The event as it is once it is claimed.
   *
   * @param text its payload
   * @throws IllegalArgumentException if the headers are not what the bus writes
   */
  Event claimedWith(int lapsesNow, String text) {
    Duration failingFor = failingSince == null ? null : Duration.between(failingSince, now);
    Claim claim =
        new Claim(
            id,
            token + 1,
            attempts + 1,
            failures,
            failingFor,
            lapsesNow,
            handlers(),
            createdAt,
            now);
    return Event.builder(type)
        .payload(text)
        .headers(headers(headers))
        .priority(priority)
        .claimed(claim);
  }

  private Set<String> handlers() {
    return doneHandlers == null || doneHandlers.isEmpty()
        ? Set.of()
        : Set.copyOf(List.of(doneHandlers.split(SEPARATOR, -1)));
  }

  static Map<String, String> headers(@Nullable String text) {
    return text == null ? Map.of() : StringMapJson.read(text);
  }

  static @Nullable String headersText(Map<String, String> headers) {
    return headers.isEmpty() ? null : StringMapJson.write(headers);
  }

  static @Nullable String handlersText(Collection<String> done) {
    return done.isEmpty() ? null : String.join(SEPARATOR, done);
  }
}
