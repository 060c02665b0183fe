package eventlog;

import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes of memory an event takes, estimated quickly: by the length of its texts, two bytes
 * for each character, without reading them. Never throws. Confined to one call.
 *
 * <p>Of maps and collections that have many elements only the first are looked at, and the others
 * are taken to be like them; arrays of objects are counted as collections. Objects of an
 * application count as {@value #UNKNOWN} bytes.
 */
final class EventSize {
  private static final int ENTRY = 512;
  private static final int ELEMENT = 64;
  private static final int UNKNOWN = 1024;
  private static final int MOST_LEVELS = 20;

  /** The bytes of one element, by the class of the array. */
  private static final Map<Class<?>, Integer> WIDTHS =
      Map.of(
          boolean[].class, Byte.BYTES,
          byte[].class, Byte.BYTES,
          char[].class, Character.BYTES,
          short[].class, Short.BYTES,
          int[].class, Integer.BYTES,
          float[].class, Float.BYTES,
          long[].class, Long.BYTES,
          double[].class, Double.BYTES);

  private int looksLeft = 1000;

  private EventSize() {}

  /** The bytes that an event takes, about, by its collections and its texts. */
  static int of(Collection<?>[] collections, @Nullable String... texts) {
    long bytes = ENTRY;
    for (String text : texts) {
      bytes += text == null ? 0 : 2L * text.length();
    }
    EventSize size = new EventSize();
    for (Collection<?> collection : collections) {
      bytes += size.ofCollection(collection);
    }
    return (int) Math.min(Integer.MAX_VALUE, bytes);
  }

  private long ofCollection(Collection<?> collection) {
    try {
      return elements(collection, 0);
    } catch (RuntimeException e) {
      return UNKNOWN; // a collection that cannot be read; the thread that writes it says so
    }
  }

  private long value(@Nullable Object value, int level) {
    if (value == null || value instanceof Number || value instanceof Boolean) {
      return ELEMENT;
    }
    if (value instanceof CharSequence text) {
      return ELEMENT + 2L * text.length();
    }
    if (level == MOST_LEVELS) {
      return UNKNOWN;
    }
    if (value instanceof Map<?, ?> map) {
      return ELEMENT + elements(map.entrySet(), level + 1);
    }
    if (value instanceof Map.Entry<?, ?> entry) {
      return value(entry.getKey(), level) + value(entry.getValue(), level);
    }
    if (value instanceof Collection<?> list) {
      return ELEMENT + elements(list, level + 1);
    }
    if (value instanceof Object[] array) {
      return ELEMENT + elements(Arrays.asList(array), level + 1);
    }
    Integer width = WIDTHS.get(value.getClass());
    return width == null ? UNKNOWN : ELEMENT + (long) width * Array.getLength(value);
  }

  private long elements(Collection<?> all, int level) {
    long bytes = 0;
    long looked = 0;
    for (Object element : all) {
      bytes += value(element, level);
      looked++;
      if (--looksLeft <= 0) {
        return (long) ((double) bytes / looked * Math.max(looked, all.size()));
      }
    }
    return bytes;
  }
}
