package eventlog.otlp;

import eventlog.spi.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes an ExportLogsServiceRequest as JSON, as OTLP has it: names in lower camel case, whole
 * numbers of 64 bits as texts, ids as hexadecimal digits. Confined to one call.
 */
final class JsonLogs {
  private final JsonBuffer out;
  private final int maxBytes;

  JsonLogs(JsonBuffer out, int maxBytes) {
    this.out = out;
    this.maxBytes = maxBytes;
  }

  /** Writes the elements of a list. */
  private interface Element<T> {
    void write(T element);
  }

  void write(Map<String, Map<String, List<LogRecord>>> groups) {
    raw("{\"resourceLogs\":");
    list(
        groups.entrySet(),
        group -> {
          raw("{\"resource\":{\"attributes\":[");
          attribute("service.name", group.getKey(), 0);
          raw("]},\"scopeLogs\":");
          list(group.getValue().entrySet(), scope -> scope(scope.getKey(), scope.getValue()));
          raw("}");
        });
    raw("}");
  }

  private void scope(String name, List<LogRecord> records) {
    raw("{\"scope\":{\"name\":");
    out.text(name);
    raw("},\"logRecords\":");
    list(records, this::record);
    raw("}");
  }

  private void record(LogRecord record) {
    String nanos = Long.toString(ProtobufLogs.nanos(record.time()));
    raw("{\"timeUnixNano\":\"" + nanos + "\",\"observedTimeUnixNano\":\"" + nanos + "\"");
    raw(",\"severityNumber\":" + record.severity().number() + ",\"severityText\":");
    out.text(record.severityText());
    raw(",\"body\":{\"stringValue\":");
    out.text(record.body());
    raw("},\"attributes\":");
    list(
        record.attributes().entrySet(),
        attribute -> attribute(attribute.getKey(), attribute.getValue(), 0));
    if (record.traceId() != null) {
      raw(",\"traceId\":\"" + record.traceId() + "\"");
    }
    if (record.spanId() != null) {
      raw(",\"spanId\":\"" + record.spanId() + "\"");
    }
    raw("}");
    if (out.length() > maxBytes) {
      throw new RequestTooLargeException(maxBytes);
    }
  }

  private void attribute(String key, @Nullable Object value, int level) {
    raw("{\"key\":");
    out.text(key);
    raw(",\"value\":");
    value(value, level);
    raw("}");
  }

  private void value(@Nullable Object value, int level) {
    raw("{");
    if (value instanceof Boolean truth) {
      raw("\"boolValue\":" + truth);
    } else if (value instanceof Number number && AttributeValues.isWhole(number)) {
      raw("\"intValue\":\"" + number + "\"");
    } else if (value instanceof Number number && AttributeValues.isDouble(number)) {
      raw("\"doubleValue\":" + decimal(number.doubleValue()));
    } else if (value instanceof List<?> list && level < AttributeValues.MOST_LEVELS) {
      raw("\"arrayValue\":{\"values\":");
      list(list, each -> value(each, level + 1));
      raw("}");
    } else if (value instanceof Map<?, ?> map && level < AttributeValues.MOST_LEVELS) {
      raw("\"kvlistValue\":{\"values\":");
      list(
          map.entrySet(),
          each -> attribute(String.valueOf(each.getKey()), each.getValue(), level + 1));
      raw("}");
    } else if (value != null) {
      raw("\"stringValue\":");
      out.text(value.toString());
    }
    raw("}");
  }

  /** Numbers that JSON does not have are texts in protobuf's JSON. */
  private static String decimal(double number) {
    return Double.isFinite(number) ? Double.toString(number) : "\"" + number + "\"";
  }

  private <T> void list(Iterable<T> elements, Element<? super T> element) {
    raw("[");
    boolean first = true;
    for (T each : elements) {
      if (!first) {
        raw(",");
      }
      first = false;
      element.write(each);
    }
    raw("]");
  }

  private void raw(String ascii) {
    out.raw(ascii.getBytes(StandardCharsets.US_ASCII));
  }
}
