package outbox.spring.boot;

import holdfast.payload.Payloads;
import holdfast.spring.AnnotatedBeans;
import holdfast.spring.AnnotatedBeans.Candidate;
import holdfast.spring.BeanMethod;
import holdfast.spring.EventParameters;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.OrderUtils;
import outbox.AsyncEventListener;
import outbox.BatchEventListener;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.registry.DefaultListenerRegistry;

/**
 * Looks for listeners in all beans, without making any. Confined to the thread that starts the
 * application.
 */
final class ListenerScan {
  private final ConfigurableListableBeanFactory beans;
  private final AnnotatedBeans<OutboxListener> annotated;
  private final Payloads payloads;
  private final List<Found> found = new ArrayList<>();
  private final List<String> mistakes = new ArrayList<>();

  ListenerScan(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
    this.annotated = new AnnotatedBeans<>(beans, OutboxListener.class);
    this.payloads = beans.getBeanProvider(Payloads.class).getIfAvailable(Payloads::discovered);
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

  /** What keeps beans and methods from being listeners, each with how to fix it. */
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
      EventListener listener = listenerBean(bean);
      int order = OrderUtils.getOrder(bean.type(), Ordered.LOWEST_PRECEDENCE);
      note("bean '%s'".formatted(name), annotations, null, listener, order);
    }
  }

  /** The bean is asked for with each event: it may be lazy, or a prototype. */
  private EventListener listenerBean(Candidate bean) {
    if (AsyncEventListener.class.isAssignableFrom(bean.type())) {
      AsyncEventListener async = event -> bean(bean, AsyncEventListener.class).onEventAsync(event);
      return async;
    }
    if (BatchEventListener.class.isAssignableFrom(bean.type())) {
      return new BatchEventListener() {
        @Override
        public Map<String, Exception> onEvents(List<EventEnvelope> events) throws Exception {
          return bean(bean, BatchEventListener.class).onEvents(events);
        }

        @Override
        public int maxBatchSize() {
          return bean(bean, BatchEventListener.class).maxBatchSize();
        }
      };
    }
    return event -> bean(bean, EventListener.class).onEvent(event);
  }

  private <L> L bean(Candidate bean, Class<L> type) {
    return type.cast(beans.getBean(bean.name()));
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
      EventParameters parameters = new EventParameters(method, EventEnvelope.class);
      ListenerMethod listener = new ListenerMethod(callable, parameters, payloads);
      note(place, annotations, parameters.payloadClass(), listener.asListener(), callable.order());
    } catch (IllegalArgumentException e) {
      mistakes.add(place + " " + e.getMessage());
    }
  }

  private void note(
      String place,
      Set<OutboxListener> annotations,
      @Nullable Class<?> payload,
      EventListener listener,
      int order) {
    Set<String> types = new LinkedHashSet<>();
    annotations.forEach(annotation -> types.addAll(List.of(annotation.value())));
    try {
      if (payload != null) {
        payloads.mapper(); // fails here rather than with the first event
        if (types.isEmpty()) {
          types.add(payloads.typeOf(payload));
        }
      }
    } catch (IllegalArgumentException | IllegalStateException e) {
      mistakes.add(place + ": " + e.getMessage());
      return;
    }
    if (payload != null && types.contains(DefaultListenerRegistry.ALL_TYPES)) {
      mistakes.add(
          "%s must name the types whose payload is a %s but names \"*\"; name them, or take an EventEnvelope"
              .formatted(place, payload.getSimpleName()));
    } else if (types.isEmpty() || types.stream().anyMatch(String::isBlank)) {
      mistakes.add(
          "%s must name one type or more, none blank, but names %s; write @OutboxListener(\"OrderPlaced\"), or \"*\" for all types"
              .formatted(place, types));
    } else {
      types.forEach(type -> found.add(new Found(type, listener, order)));
    }
  }
}
