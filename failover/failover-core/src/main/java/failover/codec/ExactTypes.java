package failover.codec;

import failover.types.JdkValues;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Types of the JDK of which every value is known to come back as it was. Values of all others are
 * compared with what was read when they are written. Stateless.
 */
final class ExactTypes {
  private static final Set<Class<?>> CONTAINERS =
      Set.of(
          List.class,
          ArrayList.class,
          HashMap.class,
          HashSet.class,
          LinkedHashMap.class,
          LinkedHashSet.class);

  private static final Set<Class<?>> KEYS =
      Set.of(
          String.class,
          Boolean.class,
          Byte.class,
          Short.class,
          Integer.class,
          Long.class,
          UUID.class,
          Instant.class,
          LocalDate.class,
          LocalDateTime.class,
          LocalTime.class,
          Duration.class);

  private ExactTypes() {}

  static boolean haveValue(Class<?> type) {
    return JdkValues.contain(type)
        || type == Date.class // may change, but is copied
        || type == String[].class
        || isPlainEnum(type)
        || (type.isArray() && type.getComponentType().isPrimitive());
  }

  static boolean haveContainer(Class<?> type) {
    return CONTAINERS.contains(type);
  }

  static boolean haveKey(Class<?> type) {
    return KEYS.contains(type) || isPlainEnum(type);
  }

  private static boolean isPlainEnum(Class<?> type) {
    return type.isEnum() && !JacksonRules.areOn(type);
  }
}
