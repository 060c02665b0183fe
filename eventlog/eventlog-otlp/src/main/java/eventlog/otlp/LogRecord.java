package eventlog.otlp;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A log record of OpenTelemetry. Immutable.
 *
 * @param time when it happened
 * @param severity its severity
 * @param severityText the name of the severity, as the source has it
 * @param body what happened
 * @param attributes everything else: texts, numbers, truth values, lists and maps of them
 * @param traceId 32 hexadecimal digits, or null if it belongs to no trace
 * @param spanId 16 hexadecimal digits, or null if it belongs to no trace
 */
record LogRecord(
    Instant time,
    Severity severity,
    String severityText,
    String body,
    Map<String, Object> attributes,
    @Nullable String traceId,
    @Nullable String spanId) {

  /** The severities that events have, with OpenTelemetry's numbers for them. */
  enum Severity {
    TRACE(1),
    DEBUG(5),
    INFO(9),
    WARN(13),
    ERROR(17),
    FATAL(21);

    private final int number;

    Severity(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }
  }
}
