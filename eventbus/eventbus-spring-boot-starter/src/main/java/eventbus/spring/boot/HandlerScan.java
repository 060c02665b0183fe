package eventbus.spring.boot;

import eventbus.Event;
import eventbus.EventHandler;
import eventbus.spring.EventBusHandler;
import holdfast.payload.Payloads;
import holdfast.spring.AnnotatedBeans;
import holdfast.spring.AnnotatedBeans.Candidate;
import holdfast.spring.BeanMethod;
import holdfast.spring.EventParameters;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Looks for handlers in all beans, without making any. Confined to the thread that starts the
 * application.
 */
final class HandlerScan {
  private final AnnotatedBeans<EventBusHandler> annotated;
  private final Payloads payloads;
  private final List<Found> found = new ArrayList<>();
  private final List<String> mistakes = new ArrayList<>();

  HandlerScan(ConfigurableListableBeanFactory beans) {
    this.annotated = new AnnotatedBeans<>(beans, EventBusHandler.class);
    this.payloads = beans.getBeanProvider(Payloads.class).getIfAvailable(Payloads::discovered);
  }

  /** A handler of one type, where it was found, and its place among those of the same type. */
  record Found(String type, String id, EventHandler handler, String place, int order) {}

  /** Looks into every bean. */
  HandlerScan run() {
    for (Candidate bean : annotated.candidates()) {
      annotated.methodsOf(bean).forEach((method, annotations) -> note(bean, method, annotations));
    }
    return this;
  }

  List<Found> found() {
    return found;
  }

  /** What keeps methods from being handlers, each with how to fix it. */
  List<String> mistakes() {
    return mistakes;
  }

  private void note(Candidate bean, Method method, Set<EventBusHandler> annotations) {
    String place =
        "%s.%s of bean '%s'".formatted(bean.type().getName(), method.getName(), bean.name());
    BeanMethod callable = callable(bean, method, place);
    EventParameters parameters = new EventParameters(method, Event.class);
    for (EventBusHandler annotation : annotations) {
      List<String> types = types(annotation, callable == null ? null : parameters, place);
      if (callable != null) {
        EventHandler handler = new HandlerMethod(callable, parameters, payloads).asHandler();
        for (String one : types) {
          found.add(new Found(one, annotation.id(), handler, place, callable.order()));
        }
      }
    }
  }

  private List<String> types(
      EventBusHandler annotation, @Nullable EventParameters parameters, String place) {
    Class<?> payload = parameters == null ? null : parameters.payloadClass();
    List<String> types = List.of(annotation.type());
    try {
      if (payload != null) {
        payloads.mapper(); // fails here rather than with the first event
        return types.isEmpty() ? List.of(payloads.typeOf(payload)) : types;
      }
    } catch (IllegalArgumentException | IllegalStateException e) {
      mistakes.add(place + ": " + e.getMessage());
      return List.of();
    }
    if (types.isEmpty()) {
      mistakes.add(
          place + " must name a type but names none; write @EventBusHandler(\"OrderPlaced\")");
    }
    return types;
  }

  private @Nullable BeanMethod callable(Candidate bean, Method method, String place) {
    String objection = HandlerMethod.objection(method);
    if (objection != null) {
      mistakes.add(place + " " + objection);
      return null;
    }
    try {
      return annotated.method(bean, method);
    } catch (IllegalArgumentException e) {
      mistakes.add(place + " " + e.getMessage());
      return null;
    }
  }
}
