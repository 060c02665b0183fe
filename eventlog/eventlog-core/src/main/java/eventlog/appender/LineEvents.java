package eventlog.appender;

import eventlog.EventLogEntry;
import eventlog.EventStatus;
import eventlog.EventType;
import eventlog.appender.LogLine.LoggedException;
import holdfast.id.UlidGenerator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes lines events. Every text has a largest length, and there is a largest number of entries, so
 * that a line of any size becomes an event of limited size. Safe for use by many threads.
 */
final class LineEvents {
  private static final String NO_MESSAGE = "(no message)";
  private static final int MOST_ENTRIES = 64;
  private static final int LONGEST_NAME = 512;
  private static final int LONGEST_VALUE = 4096;
  private static final int SPAN_ID_DIGITS = 16;

  /**
   * What is the same for all lines.
   *
   * @param applicationId who logs
   * @param targetSystem the system that is called
   * @param originatingSystem the system it all began in
   * @param correlationKey the MDC key of the correlation id
   * @param traceKey the MDC key of the trace id
   * @param spanKey the MDC key of the span id
   * @param maxMessageLength how many characters a message has at most
   * @param maxStackTraceLength how many characters a stack trace has at most
   */
  record Settings(
      String applicationId,
      String targetSystem,
      String originatingSystem,
      String correlationKey,
      String traceKey,
      String spanKey,
      int maxMessageLength,
      int maxStackTraceLength) {}

  private final Settings settings;

  /** What lines that belong to no trace and no request have in common: they are of this run. */
  private final String runId = UlidGenerator.shared().next();

  LineEvents(Settings settings) {
    this.settings = settings;
  }

  LoggedException describe(Throwable thrown) {
    return new LoggedException(
        thrown.getClass().getName(),
        BoundedText.of(thrown::getMessage, settings.maxMessageLength),
        StackTraceText.of(thrown, settings.maxStackTraceLength));
  }

  EventLogEntry event(LogLine line) {
    String trace = given(line.mdc().get(settings.traceKey), runId);
    LoggedException exception = line.exception();
    return EventLogEntry.builder()
        .correlationId(given(line.mdc().get(settings.correlationKey), trace))
        .traceId(trace)
        .spanId(spanId(line.mdc().get(settings.spanKey)))
        .applicationId(settings.applicationId)
        .targetSystem(settings.targetSystem)
        .originatingSystem(settings.originatingSystem)
        .processName(given(line.logger(), "root"))
        .eventType(line.severity() == LogLine.Severity.ERROR ? EventType.ERROR : EventType.STEP)
        .eventStatus(status(line.severity()))
        .summary(summary(line.message()))
        .result(line.level())
        .eventTimestamp(line.time())
        .errorCode(exception == null ? null : exception.type())
        .errorMessage(exception == null ? null : message(exception.message()))
        .metadata(metadata(line))
        .build();
  }

  private static EventStatus status(LogLine.Severity severity) {
    return switch (severity) {
      case NORMAL -> EventStatus.SUCCESS;
      case WARNING -> EventStatus.WARNING;
      case ERROR -> EventStatus.FAILURE;
    };
  }

  private String summary(@Nullable String message) {
    return message == null || message.isBlank()
        ? NO_MESSAGE
        : BoundedText.cut(message, settings.maxMessageLength);
  }

  private @Nullable String message(@Nullable String message) {
    return message == null ? null : BoundedText.cut(message, settings.maxMessageLength);
  }

  /** That of the MDC if it is one; null to have one generated. */
  private static @Nullable String spanId(@Nullable String id) {
    boolean isId =
        id != null && id.length() == SPAN_ID_DIGITS && id.chars().allMatch(LineEvents::isHex);
    return isId ? id : null;
  }

  private static boolean isHex(int c) {
    return Character.digit(c, 16) >= 0 && c < 128;
  }

  private Map<String, Object> metadata(LogLine line) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("level", line.level());
    metadata.put("thread", BoundedText.cut(line.thread(), LONGEST_NAME));
    if (!line.markers().isEmpty()) {
      metadata.put(
          "markers",
          line.markers().stream()
              .limit(MOST_ENTRIES)
              .map(marker -> BoundedText.cut(marker, LONGEST_NAME))
              .toList());
    }
    putUnlessEmpty(metadata, "mdc", line.mdc());
    putUnlessEmpty(metadata, "keyValues", line.keyValues());
    LoggedException exception = line.exception();
    if (exception != null) {
      metadata.put(
          "stackTrace", BoundedText.cut(exception.stackTrace(), settings.maxStackTraceLength));
    }
    return metadata;
  }

  private static void putUnlessEmpty(
      Map<String, Object> metadata, String name, Map<String, ?> entries) {
    if (entries.isEmpty()) {
      return;
    }
    Map<String, Object> limited = new LinkedHashMap<>();
    for (Map.Entry<String, ?> entry : entries.entrySet()) {
      if (limited.size() == MOST_ENTRIES) {
        limited.put("…", (entries.size() - MOST_ENTRIES) + " entries more");
        break;
      }
      limited.put(
          BoundedText.cut(String.valueOf(entry.getKey()), LONGEST_NAME), value(entry.getValue()));
    }
    metadata.put(name, limited);
  }

  /** Numbers and truth values as they are; everything else as the text it is now. */
  private static @Nullable Object value(@Nullable Object value) {
    return isPlain(value) ? value : BoundedText.of(() -> String.valueOf(value), LONGEST_VALUE);
  }

  private static boolean isPlain(@Nullable Object value) {
    return value == null
        || value instanceof Boolean
        || value instanceof Integer
        || value instanceof Long
        || value instanceof Double
        || value instanceof Float
        || value instanceof Short
        || value instanceof Byte;
  }

  private static String given(@Nullable String value, String otherwise) {
    return value == null || value.isBlank() ? otherwise : BoundedText.cut(value, LONGEST_NAME);
  }
}
