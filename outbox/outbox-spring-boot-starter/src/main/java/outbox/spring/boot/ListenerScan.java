package outbox.spring.boot;

import holdfast.spring.AnnotatedBeans;
import holdfast.spring.AnnotatedBeans.Candidate;
import holdfast.spring.BeanMethod;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.OrderUtils;
import outbox.EventListener;

/**
 * Looks for listeners in all beans, without making any. Confined to the thread that starts the
 * application.
 */
final class ListenerScan {
  private final ConfigurableListableBeanFactory beans;
  private final AnnotatedBeans<OutboxListener> annotated;
  private final List<Found> found = new ArrayList<>();
  private final List<String> mistakes = new ArrayList<>();

  ListenerScan(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
    this.annotated = new AnnotatedBeans<>(beans, OutboxListener.class);
  }

  /** A listener of one type, and its place among those of the same type. */
  record Found(String type, EventListener listener, int order) {}

  /** Looks into every bean. */
  ListenerScan run() {
    for (Candidate bean : annotated.candidates()) {
      noteBean(bean);
      annotated
          .methodsOf(bean)
          .forEach((method, annotations) -> noteMethod(bean, method, annotations));
    }
    return this;
  }

  List<Found> found() {
    return found;
  }

  /** What keeps beans and methods from being listeners, each with the way out. */
  List<String> mistakes() {
    return mistakes;
  }

  private void noteBean(Candidate bean) {
    Set<OutboxListener> annotations =
        new LinkedHashSet<>(annotated.annotationsOn(bean, OutboxListener.class));
    for (OutboxListeners several : annotated.annotationsOn(bean, OutboxListeners.class)) {
      annotations.addAll(List.of(several.value()));
    }
    String name = bean.name();
    if (!EventListener.class.isAssignableFrom(bean.type())) {
      if (!annotations.isEmpty()) {
        mistakes.add(
            "bean '%s' must be an EventListener, since @OutboxListener is on it, but is a %s; implement EventListener or put the annotation on a method"
                .formatted(name, bean.type().getName()));
      }
    } else if (annotations.isEmpty()) {
      mistakes.add(
          "bean '%s' is an EventListener and must say of which types but does not; put @OutboxListener(\"...\") on %s or on its @Bean method"
              .formatted(name, bean.type().getName()));
    } else {
      EventListener listener = event -> ((EventListener) beans.getBean(name)).onEvent(event);
      int order = OrderUtils.getOrder(bean.type(), Ordered.LOWEST_PRECEDENCE);
      note("bean '%s'".formatted(name), annotations, listener, order);
    }
  }

  private void noteMethod(Candidate bean, Method method, Set<OutboxListener> annotations) {
    // On a bean's factory method the annotation speaks of the bean.
    if (AnnotatedElementUtils.hasAnnotation(method, Bean.class)) {
      return;
    }
    String place =
        "%s.%s of bean '%s'".formatted(bean.type().getName(), method.getName(), bean.name());
    String objection = ListenerMethod.objection(method);
    if (objection != null) {
      mistakes.add(place + " " + objection);
      return;
    }
    try {
      BeanMethod callable = annotated.method(bean, method);
      note(place, annotations, new ListenerMethod(callable), callable.order());
    } catch (IllegalArgumentException e) {
      mistakes.add(place + " " + e.getMessage());
    }
  }

  private void note(
      String place, Set<OutboxListener> annotations, EventListener listener, int order) {
    Set<String> types = new LinkedHashSet<>();
    annotations.forEach(annotation -> types.addAll(List.of(annotation.value())));
    if (types.isEmpty() || types.stream().anyMatch(String::isBlank)) {
      mistakes.add(
          "%s must name one type or more, none blank, but names %s; write @OutboxListener(\"OrderPlaced\"), or \"*\" for all types"
              .formatted(place, types));
    } else {
      types.forEach(type -> found.add(new Found(type, listener, order)));
    }
  }
}
