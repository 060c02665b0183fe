package failover.codec;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares an answer with what it is read as, part by part: own classes by their class and fields,
 * collections by their elements, values of the JDK by equality. Confined to one comparison.
 */
final class SameValue {
  private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Where the two differ, as in {@code .lines[].price}; empty if they do not. */
  @SuppressWarnings("ReferenceEquality") // only saves the comparison
  Optional<String> difference(@Nullable Object written, @Nullable Object read, String path) {
    if (written == read) {
      return Optional.empty();
    }
    if (written == null || read == null) {
      return Optional.of(path);
    }
    if (!isValue(written) && !seen.add(written)) {
      return Optional.empty(); // compared already, or just now
    }
    if (written instanceof Optional<?> one && read instanceof Optional<?> other) {
      return difference(one.orElse(null), other.orElse(null), path);
    }
    if (written.getClass().isArray() && written.getClass() == read.getClass()) {
      return elements(asList(written), asList(read), path);
    }
    if (written instanceof Map<?, ?> one && read instanceof Map<?, ?> other) {
      return map(one, other, path);
    }
    if (written instanceof Collection<?> one && read instanceof Collection<?> other) {
      return collection(one, other, path);
    }
    return isOfJdk(written.getClass()) || written instanceof Enum
        ? when(!isEqual(written, read), path)
        : fields(written, read, path);
  }

  private static Optional<String> when(boolean isDifferent, String path) {
    return isDifferent ? Optional.of(path) : Optional.empty();
  }

  private static boolean isValue(Object value) {
    return value instanceof CharSequence || value instanceof Number || value instanceof Enum;
  }

  private static boolean isOfJdk(Class<?> type) {
    return type.getName().startsWith("java.") || type.getName().startsWith("sun.");
  }

  /** Values that have no equality of their own, such as counters, are told by their text. */
  private static boolean isEqual(Object one, Object other) {
    return one.equals(other)
        || (one.getClass() == other.getClass()
            && !hasEquality(one.getClass())
            && one.toString().equals(other.toString()));
  }

  private static boolean hasEquality(Class<?> type) {
    try {
      return type.getMethod("equals", Object.class).getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(type + " must have equals, as every class has", e);
    }
  }

  private static List<@Nullable Object> asList(Object array) {
    List<@Nullable Object> elements = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      elements.add(Array.get(array, i));
    }
    return elements;
  }

  private Optional<String> elements(Collection<?> one, Collection<?> other, String path) {
    if (one.size() != other.size()) {
      return Optional.of(path + "[]");
    }
    Iterator<?> others = other.iterator();
    for (Object element : one) {
      Optional<String> found = difference(element, others.next(), path + "[]");
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Optional<String> collection(Collection<?> one, Collection<?> other, String path) {
    boolean areSets = one instanceof Set && other instanceof Set;
    if (one instanceof Set != other instanceof Set
        || one instanceof PriorityQueue != other instanceof PriorityQueue
        || !Objects.equals(comparator(one), comparator(other))) {
      return Optional.of(path);
    }
    Optional<String> found =
        areSets ? map(byThemselves(one), byThemselves(other), path) : elements(one, other, path);
    return found.isPresent() || one.getClass() != other.getClass()
        ? found
        : ownFields(one, other, path);
  }

  /** What decides which elements or keys are the same; null if that is their equality or order. */
  private static @Nullable Comparator<?> comparator(Object container) {
    if (container instanceof SortedSet<?> set) {
      return set.comparator();
    }
    return container instanceof SortedMap<?, ?> map ? map.comparator() : null;
  }

  private static Map<Object, Object> byThemselves(Collection<?> elements) {
    Map<Object, Object> all = new HashMap<>();
    elements.forEach(it -> all.put(it, it));
    return all;
  }

  private Optional<String> map(Map<?, ?> one, Map<?, ?> other, String path) {
    if (one.size() != other.size()
        || one instanceof IdentityHashMap != other instanceof IdentityHashMap
        || !Objects.equals(comparator(one), comparator(other))) {
      return Optional.of(path + "[]");
    }
    for (Map.Entry<?, ?> entry : one.entrySet()) {
      if (!other.containsKey(entry.getKey())) {
        return Optional.of(path + ".key");
      }
      Optional<String> found = difference(entry.getValue(), other.get(entry.getKey()), path + "[]");
      if (found.isPresent()) {
        return found;
      }
    }
    return one.getClass() == other.getClass() ? ownFields(one, other, path) : Optional.empty();
  }

  private Optional<String> fields(Object written, Object read, String path) {
    return written.getClass() == read.getClass()
        ? ownFields(written, read, path)
        : Optional.of(path);
  }

  private Optional<String> ownFields(Object written, Object read, String path) {
    for (Field field : InstanceFields.of(written.getClass())) {
      try {
        field.setAccessible(true);
        Optional<String> found =
            difference(field.get(written), field.get(read), path + "." + field.getName());
        if (found.isPresent()) {
          return found;
        }
      } catch (IllegalAccessException | InaccessibleObjectException e) {
        return when(!written.equals(read), path); // all that can be asked
      }
    }
    return Optional.empty();
  }
}
