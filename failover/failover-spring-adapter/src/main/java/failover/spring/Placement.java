package failover.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/** Why advice cannot reach a method. Stateless. */
final class Placement {
  private Placement() {}

  /**
   * All reasons; none if it can.
   *
   * @param type the class of the bean
   * @param method the annotated method
   * @param byClass whether the proxy extends the class, rather than implement its interfaces
   */
  static List<String> problems(Class<?> type, Method method, boolean byClass) {
    List<String> reasons = new ArrayList<>();
    if (!Modifier.isPublic(method.getModifiers())) {
      reasons.add("the method is not public");
    }
    if (Modifier.isStatic(method.getModifiers())) {
      reasons.add("the method is static");
    }
    if (byClass && Modifier.isFinal(method.getModifiers())) {
      reasons.add("the method is final");
    }
    if (byClass && Modifier.isFinal(type.getModifiers())) {
      reasons.add("the class is final");
    }
    return reasons;
  }

  static String nameOf(Method method) {
    return method.getDeclaringClass().getSimpleName() + "#" + method.getName();
  }
}
