package eventlog.log4j2;

import eventlog.appender.LineAppender;
import eventlog.appender.LogLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.Marker;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.message.MapMessage;
import org.apache.logging.log4j.message.Message;
import org.jspecify.annotations.Nullable;

/** Reads what Log4j knows of a line; its event may be used again afterwards. Stateless. */
final class Lines {
  private static final int MOST_MARKERS = 16;

  private Lines() {}

  static LogLine of(LogEvent event, LineAppender appender) {
    Throwable thrown = event.getThrown();
    return new LogLine(
        time(event),
        event.getLevel().name(),
        severity(event.getLevel()),
        logger(event),
        event.getThreadName(),
        event.getMessage().getFormattedMessage(),
        event.getContextData().toMap(),
        markers(event.getMarker()),
        keyValues(event.getMessage()),
        thrown == null ? null : appender.describe(thrown));
  }

  /** The name of the logger; an event that code has made may have none. */
  static String logger(LogEvent event) {
    return Objects.requireNonNullElse(event.getLoggerName(), "");
  }

  private static Instant time(LogEvent event) {
    org.apache.logging.log4j.core.time.Instant time = event.getInstant();
    return Instant.ofEpochSecond(time.getEpochSecond(), time.getNanoOfSecond());
  }

  private static LogLine.Severity severity(Level level) {
    if (level.isMoreSpecificThan(Level.ERROR)) {
      return LogLine.Severity.ERROR;
    }
    return level.isMoreSpecificThan(Level.WARN)
        ? LogLine.Severity.WARNING
        : LogLine.Severity.NORMAL;
  }

  /** The marker and those above it. */
  private static List<String> markers(@Nullable Marker marker) {
    if (marker == null) {
      return List.of();
    }
    List<String> names = new ArrayList<>();
    addMarkers(marker, names);
    return names;
  }

  private static void addMarkers(Marker marker, List<String> names) {
    if (names.size() == MOST_MARKERS || names.contains(marker.getName())) {
      return;
    }
    names.add(marker.getName());
    Marker[] parents = marker.getParents();
    if (parents != null) {
      for (Marker parent : parents) {
        addMarkers(parent, names);
      }
    }
  }

  /** The entries of a message that is a map. */
  private static Map<String, Object> keyValues(Message message) {
    if (!(message instanceof MapMessage<?, ?> map)) {
      return Map.of();
    }
    Map<String, Object> values = new LinkedHashMap<>();
    map.getIndexedReadOnlyStringMap().forEach((key, value) -> values.put(key, value));
    return values;
  }
}
