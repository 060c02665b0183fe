package failover.codec;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Clock;
import java.util.Arrays;
import java.util.Currency;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Tells types whose values can never change: records, enums and values of the JDK, and what is made
 * of nothing else. Judged by the declared types alone, so a record with a list is not among them.
 * Stateless.
 */
public final class ImmutableTypes {
  private static final Set<Class<?>> VALUES =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Character.class,
          Integer.class,
          Long.class,
          Float.class,
          Double.class,
          BigInteger.class,
          BigDecimal.class,
          UUID.class,
          URI.class,
          Locale.class,
          Currency.class);

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
    if (type.isPrimitive() || type.isEnum() || VALUES.contains(type) || isTimeValue(type)) {
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

  private static boolean isTimeValue(Class<?> type) {
    return type.getPackageName().equals("java.time") && !Clock.class.isAssignableFrom(type);
  }
}
