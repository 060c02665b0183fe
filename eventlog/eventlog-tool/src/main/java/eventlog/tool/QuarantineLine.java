package eventlog.tool;

import eventlog.EventLogEntry;
import eventlog.spi.EntryReader;
import eventlog.spill.LineFormat;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A line of the quarantine. Immutable.
 *
 * @param reason why it was set aside
 * @param at when; null if it does not say
 * @param event the event in it; null if there is none
 */
record QuarantineLine(String reason, @Nullable Instant at, @Nullable EventLogEntry event) {
  /** Longer than any line that a logger sets aside. */
  static final int MOST_BYTES = 1024 * 1024 * 1024;

  /** The reason of a line that cannot be read itself. */
  static final String UNREADABLE = "unreadable_quarantine_line";

  private static final JsonFactory JSON = new JsonFactory();
  private static final EntryReader READER = new EntryReader();

  static QuarantineLine of(byte[] line) {
    String reason = "";
    Instant at = null;
    EventLogEntry event = null;
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        return new QuarantineLine(UNREADABLE, null, null);
      }
      for (String name = json.nextName(); name != null; name = json.nextName()) {
        json.nextToken();
        switch (name) {
          case "reason" -> reason = json.getString();
          case "at" -> at = moment(json.getString());
          case "event" -> event = part(json, line);
          case "line" -> event = whole(json.getString().getBytes(StandardCharsets.UTF_8));
          case "lineBase64" -> event = decoded(json.getString());
          default -> json.skipChildren();
        }
      }
      boolean ended = json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null;
      return ended && !reason.isEmpty()
          ? new QuarantineLine(reason, at, event)
          : new QuarantineLine(UNREADABLE, null, null);
    } catch (JacksonException e) {
      return new QuarantineLine(UNREADABLE, null, null);
    }
  }

  private static @Nullable Instant moment(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** The event that was set aside, read from its own bytes. */
  private static @Nullable EventLogEntry part(JsonParser json, byte[] line) {
    int from = (int) json.currentTokenLocation().getByteOffset();
    json.skipChildren();
    return event(line, from, (int) json.currentLocation().getByteOffset() - from);
  }

  private static @Nullable EventLogEntry decoded(String text) {
    try {
      return whole(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** A line that was none may be an event after all, once somebody has mended it. */
  private static @Nullable EventLogEntry whole(byte[] line) {
    return LineFormat.isIntact(line, 0, line.length) ? event(line, 0, line.length) : null;
  }

  private static @Nullable EventLogEntry event(byte[] json, int from, int count) {
    try {
      return READER.read(json, from, count);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
