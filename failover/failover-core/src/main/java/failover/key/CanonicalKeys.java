package failover.key;

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
 */
public final class CanonicalKeys {
  private static final int MOST_NESTING = 64;

  private CanonicalKeys() {}

  /**
   * The key of these arguments.
   *
   * @param name the effective name of the point
   * @param args the arguments, which may be null each
   * @throws UnkeyableArgumentException if one has no value equality
   */
  public static StoreKey of(String name, List<? extends @Nullable Object> args)
      throws UnkeyableArgumentException {
    KeyBytes out = new KeyBytes();
    out.tag('A');
    out.number(args.size());
    for (Object arg : args) {
      write(out, arg, 0);
    }
    return StoreKey.of(name, out.toBytes());
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
    if (value instanceof Optional<?> optional) {
      out.tag('o');
      write(out, optional.orElse(null), depth);
    } else if (value instanceof Set<?> set) {
      out.tag('S');
      sorted(out, set, depth);
    } else if (value instanceof Map<?, ?> map) {
      out.tag('M');
      sorted(out, map.entrySet(), depth);
    } else if (value instanceof Map.Entry<?, ?> entry) {
      out.tag('E');
      write(out, entry.getKey(), depth);
      write(out, entry.getValue(), depth);
    } else if (value instanceof Collection<?> elements) {
      out.tag(value instanceof List ? 'L' : 'C');
      Object[] all = elements.toArray();
      out.number(all.length);
      for (Object element : all) {
        write(out, element, depth);
      }
    } else if (value.getClass().isArray()) {
      array(out, value, depth);
    } else {
      ValueShape.of(value.getClass()).write(out, value, depth);
    }
  }

  private static void sorted(KeyBytes out, Collection<?> elements, int depth)
      throws UnkeyableArgumentException {
    Object[] all = elements.toArray();
    byte[][] encoded = new byte[all.length][];
    for (int i = 0; i < all.length; i++) {
      KeyBytes one = new KeyBytes();
      write(one, all[i], depth);
      encoded[i] = one.toBytes();
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
    for (int i = 0; i < length; i++) {
      write(out, Array.get(array, i), depth);
    }
  }
}
