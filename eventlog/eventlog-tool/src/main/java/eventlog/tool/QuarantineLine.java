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
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final EntryReader READER = new EntryReader();

  static QuarantineLine of(byte[] line) {
    try {
      JsonNode json = JSON.readTree(line);
      String reason = json.path("reason").asString("");
      return reason.isEmpty()
          ? new QuarantineLine(UNREADABLE, null, null)
          : new QuarantineLine(reason, moment(json.path("at").asString("")), event(json));
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

  /** The event that was set aside; or a line that may be one after all, once it was mended. */
  private static @Nullable EventLogEntry event(JsonNode json) {
    try {
      if (json.path("event").isObject()) {
        byte[] bytes = JSON.writeValueAsBytes(json.path("event"));
        return READER.read(bytes, 0, bytes.length);
      }
      byte[] line =
          json.has("line")
              ? json.path("line").asString("").getBytes(StandardCharsets.UTF_8)
              : Base64.getDecoder().decode(json.path("lineBase64").asString(""));
      return LineFormat.isIntact(line, 0, line.length) ? READER.read(line, 0, line.length) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
