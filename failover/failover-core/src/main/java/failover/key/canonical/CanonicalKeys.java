package failover.key.canonical;

import failover.key.KeyGenerator;
import failover.key.StoreKey;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keys made of arguments. Stateless.
 *
 * <p>Every value is written as a tag for its type and its content, with a length or a count before
 * whatever has no fixed length, so that no two lists of arguments give the same bytes: {@code
 * ("a:b","c")} and {@code ("a","b:c")}, null and {@code ""}, {@code 1} and {@code "1"} all differ.
 * Sets and maps are written in the order of their bytes, so that their own order does not count.
 * Collections, maps and entries of the JDK and of well-known libraries are their elements; those of
 * other classes are their class, their own fields and their elements. What takes more than {@value
 * #MOST_BYTES} bytes has no key: every stored answer holds on to its own.
 */
public final class CanonicalKeys {
  /** The bytes that the arguments of a call may take: {@value}. */
  public static final int MOST_BYTES = 1_048_576;

  private static final int MOST_NESTING = 64;
  private static final int MOST_EXPECTED = 1_024;

  // Their collections are nothing but their elements, and keep copies of them in fields at will.
  private static final List<String> LIBRARIES =
      List.of(
          "com.google.common.collect.", "it.unimi.dsi.fastutil.", "org.eclipse.collections.impl.");

  private CanonicalKeys() {}

  /**
   * The key of these arguments.
   *
   * @param name the effective name of the point
   * @param args the arguments, which may be null each
   * @throws UnkeyableArgumentException if one has no value equality, or they are too large
   */
  public static StoreKey of(String name, List<? extends @Nullable Object> args)
      throws UnkeyableArgumentException {
    KeyBytes out = new KeyBytes(expectedBytes(args));
    out.tag('A');
    out.number(args.size());
    for (Object arg : args) {
      write(out, arg, 0);
    }
    return StoreKey.of(name, out.toBytes());
  }

  /** Exact for texts and numbers, which most arguments are: nothing grows or is copied then. */
  private static int expectedBytes(List<? extends @Nullable Object> args) {
    int expected = 1 + Integer.BYTES;
    for (int i = 0; i < args.size() && expected < MOST_EXPECTED; i++) {
      Object arg = args.get(i);
      if (arg instanceof String text) {
        expected += 1 + Integer.BYTES + Character.BYTES * Math.min(text.length(), MOST_EXPECTED);
      } else {
        expected += arg instanceof Integer ? 1 + Integer.BYTES : 1 + Long.BYTES;
      }
    }
    return expected;
  }

  /**
   * The key that a {@link KeyGenerator} gave.
   *
   * @param name the effective name of the point
   * @param text the generated key
   */
  public static StoreKey ofText(String name, String text) {
    KeyBytes out = new KeyBytes();
    out.tag('K');
    out.text(text);
    return StoreKey.of(name, out.toBytes());
  }

  static void write(KeyBytes out, @Nullable Object value, int depth)
      throws UnkeyableArgumentException {
    if (value == null) {
      out.tag('N');
    } else if (value instanceof String text) {
      requireFits(out, (long) Character.BYTES * text.length());
      out.tag('s');
      out.text(text);
    } else if (value instanceof Long number) {
      out.tag('l');
      out.number(number.longValue());
    } else if (value instanceof Integer number) {
      out.tag('i');
      out.number(number.intValue());
    } else if (depth > MOST_NESTING) {
      throw new UnkeyableArgumentException(
          "arguments must be nested no deeper than %d but are".formatted(MOST_NESTING));
    } else {
      writeOther(out, value, depth + 1);
    }
  }

  private static void writeOther(KeyBytes out, Object value, int depth)
      throws UnkeyableArgumentException {
    requireFits(out, 0); // whatever is made of parts comes by here, however often it is used
    if (value instanceof Optional<?> optional) {
      out.tag('o');
      write(out, optional.orElse(null), depth);
    } else if (value.getClass().isArray()) {
      array(out, value, depth);
    } else if ((value instanceof Collection || value instanceof Map || value instanceof Map.Entry)
        && isNothingButElements(value.getClass())) {
      elements(out, value, depth);
    } else {
      ValueShape.of(value.getClass()).write(out, value, depth);
    }
  }

  /** Whether values of the class are made of others, which they give away. */
  static boolean hasElements(Class<?> type) {
    return Collection.class.isAssignableFrom(type)
        || Map.class.isAssignableFrom(type)
        || Map.Entry.class.isAssignableFrom(type);
  }

  /** Whether a class has no state besides its elements that would tell it from others. */
  static boolean isNothingButElements(Class<?> type) {
    return type.getModule() == Object.class.getModule()
        || LIBRARIES.stream().anyMatch(type.getName()::startsWith);
  }

  /** What a collection, a map or an entry is made of. */
  static void elements(KeyBytes out, Object value, int depth) throws UnkeyableArgumentException {
    if (value instanceof Set<?> set) {
      out.tag('S');
      sorted(out, set, depth);
    } else if (value instanceof Map<?, ?> map) {
      out.tag('M');
      sorted(out, map.entrySet(), depth);
    } else if (value instanceof Map.Entry<?, ?> entry) {
      entry(out, entry, depth);
    } else if (value instanceof Collection<?> collection) {
      out.tag(value instanceof List ? 'L' : 'C');
      Object[] all = collection.toArray();
      out.number(all.length);
      for (Object element : all) {
        write(out, element, depth);
      }
    }
  }

  private static void entry(KeyBytes out, Map.Entry<?, ?> entry, int depth)
      throws UnkeyableArgumentException {
    out.tag('E');
    write(out, entry.getKey(), depth);
    write(out, entry.getValue(), depth);
  }

  static void requireFits(KeyBytes out, long more) throws UnkeyableArgumentException {
    if (out.size() + more > MOST_BYTES) {
      throw new UnkeyableArgumentException(
          "arguments must take no more than %d bytes as a key but take more".formatted(MOST_BYTES));
    }
  }

  private static void sorted(KeyBytes out, Collection<?> elements, int depth)
      throws UnkeyableArgumentException {
    Object[] all = elements.toArray();
    byte[][] encoded = new byte[all.length][];
    long size = 0;
    for (int i = 0; i < all.length; i++) {
      KeyBytes one = new KeyBytes();
      write(one, all[i], depth);
      encoded[i] = one.toBytes();
      size += one.size();
      requireFits(out, size);
    }
    Arrays.sort(encoded, Arrays::compare);
    out.number(encoded.length);
    for (byte[] element : encoded) {
      out.raw(element);
    }
  }

  private static void array(KeyBytes out, Object array, int depth)
      throws UnkeyableArgumentException {
    out.tag('a');
    out.text(array.getClass().getComponentType().getName());
    int length = Array.getLength(array);
    out.number(length);
    if (array instanceof Object[] elements) {
      for (Object element : elements) {
        write(out, element, depth);
      }
    } else {
      requireFits(out, PrimitiveArrays.bytesOf(array, length));
      out.raw(PrimitiveArrays.toBytes(array, length));
    }
  }
}
