package failover.codec;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields that make up the state of an answer. Stateless. */
final class InstanceFields {
  private static final int LEFT_OUT = Modifier.STATIC | Modifier.TRANSIENT;

  private InstanceFields() {}

  /** Those of a class and the classes above it, but neither of the JDK's nor transient ones. */
  static List<Field> of(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    for (@Nullable Class<?> at = type;
        at != null && !at.getName().startsWith("java.");
        at = at.getSuperclass()) {
      Arrays.stream(at.getDeclaredFields())
          .filter(field -> (field.getModifiers() & LEFT_OUT) == 0 && !field.isSynthetic())
          .forEach(fields::add);
    }
    return fields;
  }
}
