package outbox.spring.boot;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.NonRetryableException;

/** A method of a bean as a listener. Safe for use by many threads if the bean is. */
final class ListenerMethod implements EventListener {
  private final Supplier<Object> bean;
  private final Method method;
  private final boolean takesPayload;

  ListenerMethod(Supplier<Object> bean, Method method) {
    this.bean = bean;
    this.method = method;
    this.takesPayload = method.getParameterTypes()[0] == String.class;
    ReflectionUtils.makeAccessible(method);
  }

  /**
   * Why a method cannot be a listener.
   *
   * @param found what must hold and what was found
   * @param wayOut what to do
   */
  record Objection(String found, String wayOut) {}

  /** Why the method cannot be a listener; null if it can. */
  static @Nullable Objection objection(Method method) {
    Class<?>[] parameters = method.getParameterTypes();
    boolean takesEvent =
        parameters.length == 1
            && (parameters[0] == EventEnvelope.class || parameters[0] == String.class);
    if (!takesEvent) {
      return new Objection(
          "must have one parameter, EventEnvelope or String (the JSON payload), but has "
              + (parameters.length == 0 ? "none" : shown(parameters)),
          "write void %s(EventEnvelope event)".formatted(method.getName()));
    }
    if (method.getReturnType() != void.class) {
      return new Objection(
          "must return void but returns "
              + method.getReturnType().getSimpleName()
              + ", which nobody would look at",
          "wait for the result inside the method");
    }
    if (Modifier.isStatic(method.getModifiers())) {
      return new Objection(
          "must be a method of the bean but is static", "remove the modifier static");
    }
    return null;
  }

  private static String shown(Class<?>[] parameters) {
    StringBuilder names = new StringBuilder("(");
    for (Class<?> parameter : parameters) {
      names.append(names.length() == 1 ? "" : ", ").append(parameter.getSimpleName());
    }
    return names.append(')').toString();
  }

  @Override
  public void onEvent(EventEnvelope event) throws Exception {
    try {
      method.invoke(bean.get(), argument(event));
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

  private Object argument(EventEnvelope event) throws NonRetryableException {
    if (!takesPayload) {
      return event;
    }
    String json = event.payloadJson();
    if (json == null) {
      throw new NonRetryableException(
          "the listener "
              + method
              + " takes a JSON payload but the event has bytes; take an"
              + " EventEnvelope instead and replay the event");
    }
    return json;
  }

  @Override
  public String toString() {
    return method.toString();
  }
}
