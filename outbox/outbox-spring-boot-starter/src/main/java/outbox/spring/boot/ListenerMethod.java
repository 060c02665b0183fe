package outbox.spring.boot;

import holdfast.spring.BeanMethod;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.NonRetryableException;

/** A method of a bean as a listener. Safe for use by many threads if the bean is. */
final class ListenerMethod implements EventListener {
  private static final List<List<Class<?>>> SHAPES =
      List.of(List.of(EventEnvelope.class), List.of(String.class));

  private final BeanMethod method;
  private final boolean takesPayload;

  ListenerMethod(BeanMethod method) {
    this.method = method;
    this.takesPayload = method.parameterTypes()[0] == String.class;
  }

  /** Why the method cannot be a listener, with the way out; null if it can. */
  static @Nullable String objection(Method method) {
    if (!SHAPES.contains(List.of(method.getParameterTypes()))) {
      return "must have one parameter, EventEnvelope or String (the JSON payload), but has %s; write void %s(EventEnvelope event)"
          .formatted(
              method.getParameterCount() == 0 ? "none" : BeanMethod.parameters(method),
              method.getName());
    }
    return BeanMethod.objection(method);
  }

  @Override
  public void onEvent(EventEnvelope event) throws Exception {
    method.call(argument(event));
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
              + " EventEnvelope instead and redeliver the event");
    }
    return json;
  }

  @Override
  public String toString() {
    return method.toString();
  }
}
