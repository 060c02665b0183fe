package eventlog.otlp;

import eventlog.EventLogEntry;
import eventlog.EventStatus;
import eventlog.EventType;
import eventlog.otlp.LogRecord.Severity;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes events log records, with the attribute names of OpenTelemetry's semantic conventions where
 * there is one. Stateless.
 */
final class RecordMapping {
  private static final int TRACE_ID_DIGITS = 32;
  private static final int SPAN_ID_DIGITS = 16;

  /** The entries that the appenders for log frameworks put into the metadata of a line. */
  private static final String LEVEL = "level";

  private static final String THREAD = "thread";
  private static final String STACK_TRACE = "stackTrace";
  private static final String MDC = "mdc";
  private static final String KEY_VALUES = "keyValues";
  private static final String MARKERS = "markers";

  private RecordMapping() {}

  /** The scope of a record: the logger of a log line, the process of another event. */
  static String scope(EventLogEntry event) {
    return event.processName();
  }

  static LogRecord record(EventLogEntry event) {
    String level = level(event);
    Severity severity = severity(level, event);
    boolean traced = isId(event.traceId(), TRACE_ID_DIGITS);
    return new LogRecord(
        event.eventTimestamp(),
        severity,
        level == null ? severity.name() : level,
        event.summary(),
        attributes(event, level != null, traced),
        traced ? event.traceId() : null,
        traced && isId(event.spanId(), SPAN_ID_DIGITS) ? event.spanId() : null);
  }

  /** The level, if the event is a line of a log framework. */
  private static @Nullable String level(EventLogEntry event) {
    Map<String, Object> metadata = event.metadata();
    return metadata != null && metadata.get(LEVEL) instanceof String level ? level : null;
  }

  private static Severity severity(@Nullable String level, EventLogEntry event) {
    for (Severity severity : Severity.values()) {
      if (severity.name().equals(level)) {
        return severity;
      }
    }
    if (event.eventType() == EventType.ERROR || event.eventStatus() == EventStatus.FAILURE) {
      return Severity.ERROR;
    }
    return event.eventStatus() == EventStatus.WARNING ? Severity.WARN : Severity.INFO;
  }

  /** Those with names of the application first: where two have one name, the fixed one stays. */
  private static Map<String, Object> attributes(
      EventLogEntry event, boolean isLine, boolean traced) {
    Map<String, Object> attributes = new LinkedHashMap<>();
    Map<String, Object> metadata = event.metadata();
    if (metadata != null && isLine) {
      putLine(attributes, metadata);
    } else if (metadata != null) {
      attributes.put("eventlog.metadata", metadata);
    }
    attributes.put("log.record.uid", event.idempotencyKey());
    putError(attributes, event, isLine);
    put(attributes, "url.full", event.endpoint());
    put(attributes, "http.request.method", event.httpMethod());
    put(attributes, "http.response.status_code", event.httpStatusCode());
    put(attributes, "eventlog.correlation_id", event.correlationId());
    if (!traced) {
      put(attributes, "eventlog.trace_id", event.traceId());
    }
    if (!isLine) {
      putEvent(attributes, event);
    }
    return attributes;
  }

  private static void putLine(Map<String, Object> attributes, Map<String, Object> metadata) {
    putAll(attributes, metadata.get(MDC));
    putAll(attributes, metadata.get(KEY_VALUES));
    put(attributes, "thread.name", metadata.get(THREAD));
    put(attributes, "exception.stacktrace", metadata.get(STACK_TRACE));
    put(attributes, "log.markers", metadata.get(MARKERS));
  }

  private static void putAll(Map<String, Object> attributes, @Nullable Object entries) {
    if (entries instanceof Map<?, ?> map) {
      map.forEach((key, value) -> put(attributes, String.valueOf(key), value));
    }
  }

  private static void putError(
      Map<String, Object> attributes, EventLogEntry event, boolean isLine) {
    put(attributes, isLine ? "exception.type" : "error.type", event.errorCode());
    put(attributes, isLine ? "exception.message" : "error.message", event.errorMessage());
  }

  /** What only events have that are no log lines. */
  private static void putEvent(Map<String, Object> attributes, EventLogEntry event) {
    put(attributes, "eventlog.event_type", event.eventType().name());
    put(attributes, "eventlog.event_status", event.eventStatus().name());
    put(attributes, "eventlog.result", event.result());
    put(attributes, "eventlog.process_name", event.processName());
    put(attributes, "eventlog.step_name", event.stepName());
    put(attributes, "eventlog.step_sequence", event.stepSequence());
    put(attributes, "eventlog.target_system", event.targetSystem());
    put(attributes, "eventlog.originating_system", event.originatingSystem());
    put(attributes, "eventlog.account_id", event.accountId());
    put(attributes, "eventlog.batch_id", event.batchId());
    put(attributes, "eventlog.parent_span_id", event.parentSpanId());
    put(attributes, "eventlog.span_links", event.spanLinks());
    put(attributes, "eventlog.identifiers", event.identifiers());
    put(attributes, "eventlog.execution_time_ms", event.executionTimeMs());
    put(attributes, "eventlog.request_payload", event.requestPayload());
    put(attributes, "eventlog.response_payload", event.responsePayload());
  }

  private static void put(Map<String, Object> attributes, String name, @Nullable Object value) {
    if (value != null && !name.isEmpty()) {
      attributes.put(name, value);
    }
  }

  /** Whether a text is an id of OpenTelemetry: hexadecimal digits, not all of them zero. */
  private static boolean isId(String text, int digits) {
    return text.length() == digits
        && text.chars().allMatch(c -> c < 128 && Character.digit(c, 16) >= 0)
        && text.chars().anyMatch(c -> c != '0');
  }
}
