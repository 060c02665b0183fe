package eventlog.otlp;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes an ExportLogsServiceRequest as protobuf. The numbers of the fields are those of
 * OpenTelemetry's definitions, version 1. Confined to one call.
 */
final class ProtobufLogs {
  private final ProtobufBuffer out;

  ProtobufLogs(ProtobufBuffer out) {
    this.out = out;
  }

  void write(Map<String, Map<String, List<LogRecord>>> groups) {
    groups.forEach(
        (application, scopes) ->
            out.message(
                1, // resource_logs
                () -> {
                  out.message(1, () -> attribute(1, "service.name", application, 0));
                  scopes.forEach((scope, records) -> out.message(2, () -> scope(scope, records)));
                }));
  }

  private void scope(String name, List<LogRecord> records) {
    out.message(1, () -> out.string(1, name));
    for (LogRecord record : records) {
      out.message(2, () -> record(record));
    }
  }

  private void record(LogRecord record) {
    long nanos = nanos(record.time());
    out.fixed64(1, nanos); // time_unix_nano
    out.number(2, record.severity().number());
    out.string(3, record.severityText());
    out.message(5, () -> out.string(1, record.body()));
    record.attributes().forEach((key, value) -> attribute(6, key, value, 0));
    if (record.traceId() != null) {
      out.bytes(9, HexFormat.of().parseHex(record.traceId()));
    }
    if (record.spanId() != null) {
      out.bytes(10, HexFormat.of().parseHex(record.spanId()));
    }
    out.fixed64(11, nanos); // observed_time_unix_nano: it was observed where it happened
  }

  static long nanos(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }

  private void attribute(int field, String key, @Nullable Object value, int level) {
    out.message(
        field,
        () -> {
          out.string(1, key);
          out.message(2, () -> value(value, level));
        });
  }

  /** Writes an AnyValue; null is one with nothing in it. */
  private void value(@Nullable Object value, int level) {
    if (value == null) {
      return;
    }
    if (value instanceof Boolean truth) {
      out.number(2, truth ? 1 : 0);
    } else if (value instanceof Number number && AttributeValues.isWhole(number)) {
      out.number(3, number.longValue());
    } else if (value instanceof Number number && AttributeValues.isDouble(number)) {
      out.fixed64(4, Double.doubleToRawLongBits(number.doubleValue()));
    } else if (value instanceof List<?> list && level < AttributeValues.MOST_LEVELS) {
      out.message(5, () -> list.forEach(each -> out.message(1, () -> value(each, level + 1))));
    } else if (value instanceof Map<?, ?> map && level < AttributeValues.MOST_LEVELS) {
      out.message(
          6, () -> map.forEach((key, each) -> attribute(1, String.valueOf(key), each, level + 1)));
    } else {
      out.string(1, value.toString());
    }
  }
}
