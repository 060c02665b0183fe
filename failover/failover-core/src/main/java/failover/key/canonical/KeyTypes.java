package failover.key.canonical;

import java.lang.reflect.Modifier;
import java.util.Optional;

/** Finds parameters whose values can never be part of a key. Stateless. */
public final class KeyTypes {
  private KeyTypes() {}

  /**
   * Why arguments of a parameter of this type cannot be told apart, if the type shows it. Types
   * that only the argument itself can tell about, such as interfaces, give nothing.
   */
  public static Optional<String> problem(Class<?> type) {
    if (type.isArray()) {
      return problem(type.getComponentType());
    }
    if (type.isPrimitive()
        || type.isInterface()
        || type == Object.class
        || type == String.class
        || type == Integer.class
        || type == Long.class
        || type == Optional.class
        || (CanonicalKeys.hasElements(type) && CanonicalKeys.isNothingButElements(type))
        || Modifier.isAbstract(type.getModifiers())) {
      return Optional.empty();
    }
    return Optional.ofNullable(ValueShape.of(type).problem());
  }
}
