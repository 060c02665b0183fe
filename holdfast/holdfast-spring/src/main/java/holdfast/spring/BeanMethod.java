package holdfast.spring;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.OrderUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ReflectionUtils;

/**
 * A method that is called on its bean as others get it, through its proxies; a lazy bean is made
 * for the first call, and a prototype anew for each. Safe for use by many threads if the bean is.
 */
public final class BeanMethod {
  private static final String STATIC =
      "must be a method of the bean but is static; remove the modifier static";

  private final Supplier<Object> bean;
  private final Method method;
  private final int order;

  private BeanMethod(Supplier<Object> bean, Method method, int order) {
    this.bean = bean;
    this.method = method;
    this.order = order;
    ReflectionUtils.makeAccessible(method);
  }

  static BeanMethod of(BeanFactory beans, AnnotatedBeans.Candidate bean, Method method) {
    Method invocable = invocable(beans.getType(bean.name()), method);
    return new BeanMethod(() -> beans.getBean(bean.name()), invocable, order(bean.type(), method));
  }

  private static Method invocable(@Nullable Class<?> exposed, Method method) {
    if (exposed == null) {
      return method;
    }
    if (SpringProxy.class.isAssignableFrom(exposed) && Modifier.isFinal(method.getModifiers())) {
      throw new IllegalArgumentException(
          "must not be final, since its bean is behind a proxy; remove the modifier final");
    }
    try {
      return AopUtils.selectInvocableMethod(method, exposed);
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(
          "must be callable through the proxy of its bean but is not: make it public and not"
              + " private, declare it in an interface of the bean, or set"
              + " spring.aop.proxy-target-class=true",
          e);
    }
  }

  private static int order(Class<?> type, Method method) {
    Integer ofMethod = OrderUtils.getOrder(method);
    return ofMethod == null ? OrderUtils.getOrder(type, Ordered.LOWEST_PRECEDENCE) : ofMethod;
  }

  /** Why the end of the method is not that of its work, with how to fix it; null if it is. */
  public static @Nullable String objection(Method method) {
    if (returnsStage(method)) {
      return Modifier.isStatic(method.getModifiers()) ? STATIC : null;
    }
    if (method.getReturnType() != void.class) {
      return "must return void or a CompletionStage but returns %s, which nobody would look at; wait for the result inside the method"
          .formatted(method.getReturnType().getSimpleName());
    }
    if (Modifier.isStatic(method.getModifiers())) {
      return STATIC;
    }
    if (isAsync(method) || isAsync(method.getDeclaringClass())) {
      return "must end with its work but is @Async, so that a failure would not be seen and the"
          + " event be lost; remove @Async, events are handled on threads of their own";
    }
    return null;
  }

  private static boolean returnsStage(Method method) {
    return CompletionStage.class.isAssignableFrom(method.getReturnType());
  }

  /** Whether it returns a {@link CompletionStage}, whose end is that of its work. */
  public boolean returnsStage() {
    return returnsStage(method);
  }

  private static boolean isAsync(AnnotatedElement element) {
    return AnnotatedElementUtils.hasAnnotation(element, Async.class);
  }

  /** The parameters of a method as a reader would write them: {@code (Event, String)}. */
  public static String parameters(Method method) {
    return Stream.of(method.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(Collectors.joining(", ", "(", ")"));
  }

  /** Its place among others, by {@code @Order} on the method or else on the class. */
  public int order() {
    return order;
  }

  /**
   * Calls it.
   *
   * @param arguments one for each parameter
   * @return what it returns
   * @throws Exception what the method throws, as it is
   */
  public @Nullable Object call(Object... arguments) throws Exception {
    Object target = bean.get();
    try {
      return methodOf(target).invoke(target, arguments);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }

  /**
   * Calls it where it {@link #returnsStage}.
   *
   * @param arguments one for each parameter
   * @return what it returns
   * @throws IllegalStateException if that is null
   * @throws Exception what the method throws, as it is
   */
  public CompletionStage<?> callForStage(Object... arguments) throws Exception {
    if (call(arguments) instanceof CompletionStage<?> stage) {
      return stage;
    }
    throw new IllegalStateException(
        this + " must return a CompletionStage but returned null; return one that is complete");
  }

  /** A bean that is made late may turn out to be a proxy that shows only its interfaces. */
  private Method methodOf(Object target) {
    return method.getDeclaringClass().isInstance(target)
        ? method
        : AopUtils.selectInvocableMethod(method, target.getClass());
  }

  @Override
  public String toString() {
    return method.toString();
  }
}
