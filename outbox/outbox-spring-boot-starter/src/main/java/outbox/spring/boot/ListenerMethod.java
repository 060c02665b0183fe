package outbox.spring.boot;

import holdfast.payload.Payloads;
import holdfast.spring.BeanMethod;
import holdfast.spring.EventParameters;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import outbox.AsyncEventListener;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.NonRetryableException;

/** A method of a bean as a listener. Safe for use by many threads if the bean is. */
final class ListenerMethod implements EventListener {
  private final BeanMethod method;
  private final EventParameters parameters;
  private final Payloads payloads;

  ListenerMethod(BeanMethod method, EventParameters parameters, Payloads payloads) {
    this.method = method;
    this.parameters = parameters;
    this.payloads = payloads;
  }

  /** Why the method cannot be a listener, with how to fix it; null if it can. */
  static @Nullable String objection(Method method) {
    String objection = EventParameters.objection(method, EventEnvelope.class);
    return objection == null ? BeanMethod.objection(method) : objection;
  }

  /** Returns it as a listener whose worker does not wait for it, if it returns a stage. */
  EventListener asListener() {
    AsyncEventListener async = event -> method.callForStage(arguments(event));
    return method.returnsStage() ? async : this;
  }

  @Override
  public void onEvent(EventEnvelope event) throws Exception {
    method.call(arguments(event));
  }

  private Object[] arguments(EventEnvelope event) throws NonRetryableException {
    String json = event.payloadJson();
    if (json == null && parameters.takePayload()) {
      throw new NonRetryableException(
          "the listener "
              + method
              + " takes a JSON payload but the event has bytes; take an"
              + " EventEnvelope instead and redeliver the event");
    }
    return parameters.arguments(event, String.valueOf(json), payloads);
  }

  @Override
  public String toString() {
    return method.toString();
  }
}
