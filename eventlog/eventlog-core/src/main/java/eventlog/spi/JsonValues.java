package eventlog.spi;

import eventlog.LossReason;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Whatever an application puts into the maps of an event. Safe for use by many threads. */
final class JsonValues {
  /** How deep values may be nested; what refers to itself has no end. */
  static final int MOST_LEVELS = 200;

  /** What readers take at most, sign, point and exponent included. */
  private static final int MOST_DIGITS = StreamReadConstraints.DEFAULT_MAX_NUM_LEN;

  private static final int MOST_BITS = 4 * MOST_DIGITS;

  /** Readers take no exponent that does not fit into an int, nor one that comes close to it. */
  private static final int MOST_SCALE = 1_000_000_000;

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
      write(plain(value), json, level + 1);
    }
  }

  /**
   * An object of the application's as the maps, lists and plain values that its JSON has. Fails if
   * that JSON cannot be read again.
   */
  static Object plain(Object value) {
    return Mapper.OTHERS.readValue(Mapper.OTHERS.writeValueAsBytes(value), Object.class);
  }

  private static void number(Number number, JsonBuffer json) {
    if (number instanceof Integer || number instanceof Long || number instanceof Short) {
      json.number(number.longValue());
    } else if (isFinite(number) && isKnown(number)) {
      json.raw(digits(number).getBytes(StandardCharsets.US_ASCII));
    } else {
      write(plain(number), json, 0); // a number of a kind that is known, or a text
    }
  }

  private static String digits(Number number) {
    int bits =
        number instanceof BigDecimal decimal
            ? decimal.unscaledValue().bitLength()
            : number instanceof BigInteger integer ? integer.bitLength() : 0;
    // Asked first: making the text of a number with a million digits takes its time.
    String text = bits > MOST_BITS ? "" : number.toString();
    if (text.isEmpty() || text.length() > MOST_DIGITS) {
      throw new UnwritableEntryException(
          LossReason.NOT_SERIALIZABLE,
          "a number must have at most " + MOST_DIGITS + " characters but has more",
          null);
    }
    if (number instanceof BigDecimal decimal && Math.abs((long) decimal.scale()) > MOST_SCALE) {
      throw new UnwritableEntryException(
          LossReason.NOT_SERIALIZABLE,
          "a number must have a scale of at most " + MOST_SCALE + " but has " + decimal.scale(),
          null);
    }
    return text;
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
      json.raw(separator).name(String.valueOf(entry.getKey()));
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
