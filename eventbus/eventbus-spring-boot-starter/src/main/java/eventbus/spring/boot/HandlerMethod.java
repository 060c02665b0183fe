package eventbus.spring.boot;

import eventbus.Event;
import eventbus.EventHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/** A method of a bean as a handler. Safe for use by many threads if the bean is. */
final class HandlerMethod implements EventHandler {
  private static final List<List<Class<?>>> SHAPES =
      List.of(
          List.of(Event.class),
          List.of(String.class),
          List.of(String.class, Event.class),
          List.of(Event.class, String.class));

  private final Supplier<Object> bean;
  private final Method method;

  HandlerMethod(Supplier<Object> bean, Method method) {
    this.bean = bean;
    this.method = method;
    ReflectionUtils.makeAccessible(method);
  }

  /** Why the method cannot be a handler, with the way out; null if it can. */
  static @Nullable String objection(Method method) {
    if (!SHAPES.contains(List.of(method.getParameterTypes()))) {
      return "must take an Event, a String (the payload) or both but takes %s; write void %s(Event event)"
          .formatted(parameters(method), method.getName());
    }
    if (method.getReturnType() != void.class) {
      return "must return void but returns %s, which nobody would look at; wait for the result inside the method"
          .formatted(method.getReturnType().getSimpleName());
    }
    if (Modifier.isStatic(method.getModifiers())) {
      return "must be a method of the bean but is static; remove the modifier static";
    }
    return null;
  }

  private static String parameters(Method method) {
    return method.getParameterCount() == 0
        ? "nothing"
        : Stream.of(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(", ", "(", ")"));
  }

  @Override
  public void handle(Event event) throws Exception {
    Object target = bean.get();
    try {
      methodOf(target).invoke(target, arguments(event));
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

  /** A bean that is made late may turn out to be a proxy that shows only its interfaces. */
  private Method methodOf(Object target) {
    return method.getDeclaringClass().isInstance(target)
        ? method
        : AopUtils.selectInvocableMethod(method, target.getClass());
  }

  private Object[] arguments(Event event) {
    return Stream.of(method.getParameterTypes())
        .map(type -> type == String.class ? event.payload() : event)
        .toArray();
  }

  @Override
  public String toString() {
    return method.toString();
  }
}
