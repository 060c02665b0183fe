package failover.types;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.net.URI;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells types whose values can never change: records, enums and values of the JDK, and what is made
 * of nothing else. Judged by the declared types alone, so a record with a list is not among them.
 * Stateless.
 */
public final class ImmutableTypes {
  /** Values that cannot change, though JSON may give others back. */
  private static final Set<Class<?>> MORE = Set.of(URI.class, Locale.class);

  private ImmutableTypes() {}

  /** Whether no value of the type can ever change. */
  public static boolean contains(Type type) {
    return isImmutable(type, Map.of(), new HashSet<>());
  }

  private static boolean isImmutable(
      Type type, Map<TypeVariable<?>, Type> arguments, Set<Object> seen) {
    if (type instanceof TypeVariable<?> variable) {
      Type argument = arguments.get(variable);
      return argument != null && isImmutable(argument, Map.of(), seen);
    }
    if (type instanceof ParameterizedType generic) {
      return isImmutable(generic, arguments, seen);
    }
    if (!(type instanceof Class<?> plain)) {
      return false;
    }
    // A type within itself is judged by its other parts.
    return !seen.add(plain) || isImmutableClass(plain, Map.of(), seen);
  }

  private static boolean isImmutable(
      ParameterizedType type, Map<TypeVariable<?>, Type> arguments, Set<Object> seen) {
    Class<?> raw = (Class<?>) type.getRawType();
    Map<TypeVariable<?>, Type> own = new HashMap<>();
    for (int i = 0; i < raw.getTypeParameters().length; i++) {
      Type argument = type.getActualTypeArguments()[i];
      Type resolved =
          argument instanceof TypeVariable<?> variable
              ? arguments.getOrDefault(variable, Object.class)
              : argument;
      own.put(raw.getTypeParameters()[i], resolved);
    }
    if (raw == Optional.class) {
      return isImmutable(own.values().iterator().next(), Map.of(), seen);
    }
    return !seen.add(Map.entry(raw, own)) || isImmutableClass(raw, own, seen);
  }

  private static boolean isImmutableClass(
      Class<?> type, Map<TypeVariable<?>, Type> arguments, Set<Object> seen) {
    if (JdkValues.contain(type) || type.isEnum() || MORE.contains(type)) {
      return true;
    }
    if (type.isRecord()) {
      return Arrays.stream(type.getRecordComponents())
          .map(RecordComponent::getGenericType)
          .allMatch(component -> isImmutable(component, arguments, seen));
    }
    return type.isSealed()
        && type.isInterface()
        && Arrays.stream(type.getPermittedSubclasses())
            .allMatch(permitted -> isImmutable(permitted, Map.of(), seen));
  }
}
