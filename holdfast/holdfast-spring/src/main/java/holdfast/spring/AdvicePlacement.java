package holdfast.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Why advice cannot reach an annotated method. Stateless. */
public final class AdvicePlacement {
  private AdvicePlacement() {}

  /**
   * Returns all reasons why advice around a bean cannot reach a method; none if it can.
   *
   * @param type the class of the bean, behind all proxies
   * @param method the annotated method
   * @param bean the bean as others see it; null if it is made later, by a proxy that extends its
   *     class
   */
  public static List<String> problems(Class<?> type, Method method, @Nullable Object bean) {
    boolean byClass = (bean == null || !Proxy.isProxyClass(bean.getClass())) && !type.isInterface();
    return problems(type, method, byClass);
  }

  private static List<String> problems(Class<?> type, Method method, boolean byClass) {
    List<String> reasons = new ArrayList<>();
    int modifiers = method.getModifiers();
    if (Modifier.isPrivate(modifiers)) {
      reasons.add("the method is private: make it public");
    } else if (byClass && isHidden(method, type)) {
      reasons.add("the method is visible in another package only: make it public");
    } else if (!byClass && !isInAnInterface(method, type)) {
      reasons.add(
          "the method is in no interface of the bean, whose proxy has nothing else: declare it in one,"
              + " or set spring.aop.proxy-target-class=true");
    }
    if (Modifier.isStatic(modifiers)) {
      reasons.add("the method is static: remove the modifier static");
    }
    if (byClass && Modifier.isFinal(method.getModifiers())) {
      reasons.add("the method is final: remove the modifier final");
    }
    if (byClass && Modifier.isFinal(type.getModifiers())) {
      reasons.add("the class is final: remove the modifier final");
    }
    return reasons;
  }

  /** Proxies are in the package of the class that they extend. */
  private static boolean isHidden(Method method, Class<?> type) {
    Class<?> declaring = method.getDeclaringClass();
    return !Modifier.isPublic(method.getModifiers())
        && !Modifier.isProtected(method.getModifiers())
        && !(declaring.getPackageName().equals(type.getPackageName())
            && Objects.equals(declaring.getClassLoader(), type.getClassLoader()));
  }

  /** By name and number of parameters, whose types may be variables there. */
  private static boolean isInAnInterface(Method method, Class<?> type) {
    return Arrays.stream(ClassUtils.getAllInterfacesForClass(type))
        .flatMap(it -> Arrays.stream(it.getMethods()))
        .anyMatch(
            it ->
                it.getName().equals(method.getName())
                    && it.getParameterCount() == method.getParameterCount());
  }

  /** Returns the names of class and method, as in {@code Orders#place}. */
  public static String nameOf(Method method) {
    return method.getDeclaringClass().getSimpleName() + "#" + method.getName();
  }
}
