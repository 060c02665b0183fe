package failover.types;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.util.Currency;
import java.util.Set;
import java.util.UUID;

/**
 * Types of the JDK whose values cannot change and are known to come back from JSON as they were.
 * Stateless.
 */
public final class JdkValues {
  private static final Set<Class<?>> TYPES =
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
          Currency.class);

  private JdkValues() {}

  /** Whether the type is one of them: a primitive, a number, a text, a time or an identifier. */
  public static boolean contain(Class<?> type) {
    return type.isPrimitive()
        || TYPES.contains(type)
        || (type.getPackageName().equals("java.time") && !Clock.class.isAssignableFrom(type));
  }
}
