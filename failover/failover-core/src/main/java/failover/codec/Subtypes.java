package failover.codec;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Which types stand behind an interface or abstract class: those it permits, or those registered
 * for it. Immutable.
 */
final class Subtypes {
  private final Map<Class<?>, List<Class<?>>> registered;

  Subtypes(Map<Class<?>, List<Class<?>>> registered) {
    this.registered = Map.copyOf(registered);
  }

  Subtypes with(Class<?> open, List<Class<?>> types) {
    Map<Class<?>, List<Class<?>>> more = new LinkedHashMap<>(registered);
    more.put(open, List.copyOf(types));
    return new Subtypes(more);
  }

  boolean areKnown(Class<?> type) {
    return isSealed(type) || registered.containsKey(type);
  }

  /** Sealed types of the JDK, such as ZoneId on some of its versions, are values. */
  private static boolean isSealed(Class<?> type) {
    // An enum whose constants have bodies is sealed, too.
    return type.isSealed() && !type.isEnum() && !type.getName().startsWith("java.");
  }

  /** All types that values can have, by the name they are stored under. */
  Map<String, Class<?>> of(Class<?> type) {
    Map<String, Class<?>> byName = new LinkedHashMap<>();
    below(type)
        .filter(found -> !java.lang.reflect.Modifier.isAbstract(found.getModifiers()))
        .distinct()
        .forEach(found -> add(byName, found));
    return byName;
  }

  private static void add(Map<String, Class<?>> byName, Class<?> type) {
    String name = type.getSimpleName();
    Class<?> other = byName.putIfAbsent(name, type);
    if (other != null) {
      throw new IllegalArgumentException(
          "the subtypes of one type must have different simple names but %s and %s have not"
              .formatted(other.getName(), type.getName()));
    }
  }

  private Stream<Class<?>> below(Class<?> type) {
    Stream<Class<?>> next =
        isSealed(type)
            ? Arrays.stream(type.getPermittedSubclasses())
            : registered.getOrDefault(type, List.of()).stream();
    return Stream.concat(Stream.of(type), next.flatMap(this::below));
  }
}
