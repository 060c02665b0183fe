package eventlog.spi;

import eventlog.LossReason;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Whatever an application puts into the maps of an event. Safe for use by many threads. */
final class JsonValues {
  /** How deep values may be nested; what refers to itself has no end. */
  static final int MOST_LEVELS = 200;

  private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FALSE = "false".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);

  private JsonValues() {}

  static void write(@Nullable Object value, JsonBuffer json, int level) {
    if (level > MOST_LEVELS) {
      throw new UnwritableEntryException(
          LossReason.NOT_SERIALIZABLE, "values are nested too deep, or contain themselves", null);
    }
    if (value == null) {
      json.raw(NULL);
    } else if (value instanceof String text) {
      json.text(text);
    } else if (value instanceof Boolean truth) {
      json.raw(truth ? TRUE : FALSE);
    } else if (value instanceof Number number) {
      number(number, json);
    } else if (value instanceof Map<?, ?> map) {
      map(map, json, level);
    } else if (value instanceof Collection<?> list) {
      list(list, json, level);
    } else if (value instanceof Instant moment) {
      Timestamps.write(moment, json);
    } else {
      json.raw(Mapper.OTHERS.writeValueAsBytes(value));
    }
  }

  /** An object of the application's as the maps, lists and plain values that its JSON has. */
  static Object plain(Object value) {
    return Mapper.OTHERS.readValue(Mapper.OTHERS.writeValueAsBytes(value), Object.class);
  }

  private static void number(Number number, JsonBuffer json) {
    if (number instanceof Integer || number instanceof Long || number instanceof Short) {
      json.number(number.longValue());
    } else if (isFinite(number) && isKnown(number)) {
      json.raw(number.toString().getBytes(StandardCharsets.US_ASCII));
    } else {
      json.raw(Mapper.OTHERS.writeValueAsBytes(number));
    }
  }

  private static boolean isKnown(Number number) {
    return number instanceof Double
        || number instanceof Float
        || number instanceof Byte
        || number.getClass() == BigDecimal.class
        || number.getClass() == BigInteger.class;
  }

  private static boolean isFinite(Number number) {
    return !(number instanceof Double || number instanceof Float)
        || Double.isFinite(number.doubleValue());
  }

  private static void map(Map<?, ?> map, JsonBuffer json, int level) {
    char separator = '{';
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      json.raw(separator).text(String.valueOf(entry.getKey())).raw(':');
      write(entry.getValue(), json, level + 1);
      separator = ',';
    }
    if (separator == '{') {
      json.raw('{');
    }
    json.raw('}');
  }

  private static void list(Collection<?> list, JsonBuffer json, int level) {
    char separator = '[';
    for (Object element : list) {
      json.raw(separator);
      write(element, json, level + 1);
      separator = ',';
    }
    if (separator == '[') {
      json.raw('[');
    }
    json.raw(']');
  }

  /** Costs a while to set up, and most events never need it. */
  private static final class Mapper {
    static final JsonMapper OTHERS =
        JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
  }
}
