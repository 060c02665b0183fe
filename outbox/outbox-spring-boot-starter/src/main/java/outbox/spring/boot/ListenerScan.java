package outbox.spring.boot;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.OrderUtils;
import org.springframework.util.ClassUtils;
import outbox.EventListener;

/** Looks for listeners in a bean. Confined to the thread that starts the application. */
final class ListenerScan {
  private final ListableBeanFactory beans;

  ListenerScan(ListableBeanFactory beans) {
    this.beans = beans;
  }

  /** A listener of one type, and its place among those of the same type. */
  record Found(String type, EventListener listener, int order) {}

  List<Found> listenersOf(String name) {
    Class<?> type = targetClass(name);
    if (type == null || !AnnotationUtils.isCandidateClass(type, OutboxListener.class)) {
      return List.of();
    }
    List<Found> found = new ArrayList<>(listenerBean(name, type));
    Map<Method, Set<OutboxListener>> methods =
        MethodIntrospector.selectMethods(type, ListenerScan::annotations);
    methods.forEach((method, annotations) -> found.addAll(listeners(name, method, annotations)));
    return found;
  }

  private @Nullable Class<?> targetClass(String name) {
    Class<?> type =
        beans instanceof ConfigurableListableBeanFactory factory
            ? AutoProxyUtils.determineTargetClass(factory, name)
            : beans.getType(name);
    return type == null ? null : ClassUtils.getUserClass(type);
  }

  private static @Nullable Set<OutboxListener> annotations(Method method) {
    // On a bean's factory method the annotation speaks of the bean.
    if (AnnotatedElementUtils.hasAnnotation(method, Bean.class)) {
      return null;
    }
    Set<OutboxListener> all =
        AnnotatedElementUtils.findMergedRepeatableAnnotations(method, OutboxListener.class);
    return all.isEmpty() ? null : all;
  }

  private List<Found> listenerBean(String name, Class<?> type) {
    Set<OutboxListener> annotations =
        new LinkedHashSet<>(beans.findAllAnnotationsOnBean(name, OutboxListener.class, false));
    for (OutboxListeners several :
        beans.findAllAnnotationsOnBean(name, OutboxListeners.class, false)) {
      annotations.addAll(List.of(several.value()));
    }
    if (!EventListener.class.isAssignableFrom(type)) {
      if (annotations.isEmpty()) {
        return List.of();
      }
      throw new OutboxStartException(
          "bean '%s' must be an EventListener, since @OutboxListener is on it, but is a %s"
              .formatted(name, type.getName()),
          "implement EventListener or put the annotation on a method");
    }
    if (annotations.isEmpty()) {
      throw new OutboxStartException(
          "bean '%s' is an EventListener and must say of which types but does not".formatted(name),
          "put @OutboxListener(\"...\") on %s or on its @Bean method".formatted(type.getName()));
    }
    EventListener listener = event -> ((EventListener) beans.getBean(name)).onEvent(event);
    return found(annotations, listener, OrderUtils.getOrder(type, Ordered.LOWEST_PRECEDENCE), name);
  }

  private List<Found> listeners(String name, Method method, Set<OutboxListener> annotations) {
    ListenerMethod.Objection objection = ListenerMethod.objection(method);
    if (objection != null) {
      throw new OutboxStartException(
          "the @OutboxListener method %s.%s %s"
              .formatted(method.getDeclaringClass().getName(), method.getName(), objection.found()),
          objection.wayOut());
    }
    Class<?> exposed = beans.getType(name);
    Method invocable =
        AopUtils.selectInvocableMethod(
            method, exposed == null ? method.getDeclaringClass() : exposed);
    int ofClass = OrderUtils.getOrder(method.getDeclaringClass(), Ordered.LOWEST_PRECEDENCE);
    Integer ofMethod = OrderUtils.getOrder(method);
    return found(
        annotations,
        new ListenerMethod(() -> beans.getBean(name), invocable),
        ofMethod == null ? ofClass : ofMethod,
        name);
  }

  private static List<Found> found(
      Set<OutboxListener> annotations, EventListener listener, int order, String bean) {
    Set<String> types = new LinkedHashSet<>();
    annotations.forEach(annotation -> types.addAll(List.of(annotation.value())));
    if (types.isEmpty() || types.stream().anyMatch(String::isBlank)) {
      throw new OutboxStartException(
          "@OutboxListener in bean '%s' must name one type or more, none blank, but has %s"
              .formatted(bean, types),
          "write @OutboxListener(\"OrderPlaced\"), or \"*\" for all types");
    }
    return types.stream().map(type -> new Found(type, listener, order)).toList();
  }
}
