package eventbus.spring.boot;

import eventbus.AsyncEventHandler;
import eventbus.Event;
import eventbus.EventHandler;
import holdfast.payload.Payloads;
import holdfast.spring.BeanMethod;
import holdfast.spring.EventParameters;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** A method of a bean as a handler. Safe for use by many threads if the bean is. */
final class HandlerMethod implements EventHandler {
  private final BeanMethod method;
  private final EventParameters parameters;
  private final Payloads payloads;

  HandlerMethod(BeanMethod method, EventParameters parameters, Payloads payloads) {
    this.method = method;
    this.parameters = parameters;
    this.payloads = payloads;
  }

  /** Why the method cannot be a handler, with how to fix it; null if it can. */
  static @Nullable String objection(Method method) {
    String objection = EventParameters.objection(method, Event.class);
    return objection == null ? BeanMethod.objection(method) : objection;
  }

  /** Returns it as a handler whose worker does not wait for it, if it returns a stage. */
  EventHandler asHandler() {
    AsyncEventHandler async = event -> method.callForStage(arguments(event));
    return method.returnsStage() ? async : this;
  }

  @Override
  public void handle(Event event) throws Exception {
    method.call(arguments(event));
  }

  private Object[] arguments(Event event) {
    return parameters.arguments(event, event.payload(), payloads);
  }

  @Override
  public String toString() {
    return method.toString();
  }
}
