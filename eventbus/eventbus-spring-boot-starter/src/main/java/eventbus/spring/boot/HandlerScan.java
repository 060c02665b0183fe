package eventbus.spring.boot;

import eventbus.spring.EventBusHandler;
import holdfast.spring.AnnotatedBeans;
import holdfast.spring.AnnotatedBeans.Candidate;
import holdfast.spring.BeanMethod;
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
  private final List<Found> found = new ArrayList<>();
  private final List<String> mistakes = new ArrayList<>();

  HandlerScan(ConfigurableListableBeanFactory beans) {
    this.annotated = new AnnotatedBeans<>(beans, EventBusHandler.class);
  }

  /** A handler of one type, where it was found, and its place among those of the same type. */
  record Found(String type, String id, HandlerMethod handler, String place, int order) {}

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

  /** What keeps methods from being handlers, each with the way out. */
  List<String> mistakes() {
    return mistakes;
  }

  private void note(Candidate bean, Method method, Set<EventBusHandler> annotations) {
    String place =
        "%s.%s of bean '%s'".formatted(bean.type().getName(), method.getName(), bean.name());
    BeanMethod callable = callable(bean, method, place);
    for (EventBusHandler annotation : annotations) {
      if (annotation.type().length == 0) {
        mistakes.add(
            place + " must name a type but names none; write @EventBusHandler(\"OrderPlaced\")");
      }
      if (callable != null) {
        HandlerMethod handler = new HandlerMethod(callable);
        for (String one : annotation.type()) {
          found.add(new Found(one, annotation.id(), handler, place, callable.order()));
        }
      }
    }
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
