package eventbus.spring.boot;

import eventbus.Event;
import eventbus.EventHandler;
import holdfast.spring.BeanMethod;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A method of a bean as a handler. Safe for use by many threads if the bean is. */
final class HandlerMethod implements EventHandler {
  private static final List<List<Class<?>>> SHAPES =
      List.of(
          List.of(Event.class),
          List.of(String.class),
          List.of(String.class, Event.class),
          List.of(Event.class, String.class));

  private final BeanMethod method;

  HandlerMethod(BeanMethod method) {
    this.method = method;
  }

  /** Why the method cannot be a handler, with the way out; null if it can. */
  static @Nullable String objection(Method method) {
    if (!SHAPES.contains(List.of(method.getParameterTypes()))) {
      return "must take an Event, a String (the payload) or both but takes %s; write void %s(Event event)"
          .formatted(
              method.getParameterCount() == 0 ? "nothing" : BeanMethod.parameters(method),
              method.getName());
    }
    return BeanMethod.objection(method);
  }

  @Override
  public void handle(Event event) throws Exception {
    method.call(arguments(event));
  }

  private Object[] arguments(Event event) {
    return Stream.of(method.parameterTypes())
        .map(type -> type == String.class ? event.payload() : event)
        .toArray();
  }

  @Override
  public String toString() {
    return method.toString();
  }
}
