package eventbus.spring.boot;

import eventbus.spring.EventHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.OrderUtils;
import org.springframework.util.ClassUtils;

/**
 * Looks for handlers in all beans, without making any. Confined to the thread that starts the
 * application.
 */
final class HandlerScan {
  private final ConfigurableListableBeanFactory beans;
  private final List<Found> found = new ArrayList<>();
  private final List<String> mistakes = new ArrayList<>();

  HandlerScan(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  /** A handler of one type, where it was found, and its place among those of the same type. */
  record Found(String type, String id, HandlerMethod handler, String place, int order) {}

  /** Looks into every bean. */
  HandlerScan run() {
    for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
      Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : targetClass(name);
      if (type != null && AnnotationUtils.isCandidateClass(type, EventHandler.class)) {
        Map<Method, Set<EventHandler>> methods =
            MethodIntrospector.selectMethods(type, HandlerScan::annotations);
        methods.forEach((method, annotations) -> note(name, type, method, annotations));
      }
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

  private @Nullable Class<?> targetClass(String name) {
    Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
    if (type != null && ScopedObject.class.isAssignableFrom(type)) {
      // The proxy of a scope shows the interfaces of the bean behind it, without their annotations.
      String behind = ScopedProxyUtils.getTargetBeanName(name);
      type = beans.containsBean(behind) ? AutoProxyUtils.determineTargetClass(beans, behind) : type;
    }
    return type == null ? null : ClassUtils.getUserClass(type);
  }

  private static @Nullable Set<EventHandler> annotations(Method method) {
    Set<EventHandler> all =
        AnnotatedElementUtils.findMergedRepeatableAnnotations(method, EventHandler.class);
    return all.isEmpty() ? null : all;
  }

  private void note(String name, Class<?> type, Method method, Set<EventHandler> annotations) {
    String place = "%s.%s of bean '%s'".formatted(type.getName(), method.getName(), name);
    String objection = HandlerMethod.objection(method);
    Method invocable = objection == null ? invocable(name, method, place) : null;
    if (objection != null) {
      mistakes.add(place + " " + objection);
    }
    for (EventHandler annotation : annotations) {
      if (annotation.type().length == 0) {
        mistakes.add(
            place + " must name a type but names none; write @EventHandler(\"OrderPlaced\")");
      }
      if (invocable != null) {
        HandlerMethod handler = new HandlerMethod(() -> beans.getBean(name), invocable);
        for (String one : annotation.type()) {
          found.add(new Found(one, annotation.id(), handler, place, order(type, method)));
        }
      }
    }
  }

  /** The method as it is called on the bean that others see, a proxy maybe. */
  private @Nullable Method invocable(String name, Method method, String place) {
    Class<?> exposed = beans.getType(name);
    if (exposed == null) {
      return method;
    }
    if (SpringProxy.class.isAssignableFrom(exposed) && Modifier.isFinal(method.getModifiers())) {
      mistakes.add(
          place
              + " must not be final, since its bean is behind a proxy; remove the modifier final");
      return null;
    }
    try {
      return AopUtils.selectInvocableMethod(method, exposed);
    } catch (IllegalStateException e) {
      mistakes.add(
          place
              + " must be callable through the proxy of its bean but is not: make it public and"
              + " not private, declare it in an interface of the bean, or set"
              + " spring.aop.proxy-target-class=true");
      return null;
    }
  }

  private static int order(Class<?> type, Method method) {
    Integer ofMethod = OrderUtils.getOrder(method);
    return ofMethod == null ? OrderUtils.getOrder(type, Ordered.LOWEST_PRECEDENCE) : ofMethod;
  }
}
