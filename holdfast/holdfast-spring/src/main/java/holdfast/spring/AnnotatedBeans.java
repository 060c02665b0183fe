package holdfast.spring;

import java.lang.annotation.Annotation;
import java.lang.annotation.Repeatable;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Looks for an annotation in all beans, on their methods and on themselves, without making any.
 * Confined to the thread that starts the application.
 *
 * @param <A> the annotation
 */
public final class AnnotatedBeans<A extends Annotation> {
  private final ConfigurableListableBeanFactory beans;
  private final Class<A> annotation;

  /**
   * Looks at nothing yet.
   *
   * @param beans the application's beans, all of them defined
   * @param annotation what to look for
   */
  public AnnotatedBeans(ConfigurableListableBeanFactory beans, Class<A> annotation) {
    this.beans = beans;
    this.annotation = annotation;
  }

  /**
   * A bean that may have the annotation.
   *
   * @param name its name, as others ask for it
   * @param type its class, behind all proxies
   */
  public record Candidate(String name, Class<?> type) {}

  /** All beans whose class is known and may have the annotation. */
  public List<Candidate> candidates() {
    List<Candidate> candidates = new ArrayList<>();
    for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
      Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : targetClass(name);
      if (type != null && AnnotationUtils.isCandidateClass(type, annotation)) {
        candidates.add(new Candidate(name, type));
      }
    }
    return candidates;
  }

  private @Nullable Class<?> targetClass(String name) {
    Class<?> type = AutoProxyUtils.determineTargetClass(beans, behind(name));
    return type == null ? null : ClassUtils.getUserClass(type);
  }

  /** The proxy of a scope shows the interfaces of the bean behind it, without annotations. */
  private String behind(String name) {
    Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
    String behind = ScopedProxyUtils.getTargetBeanName(name);
    boolean isProxy = type != null && ScopedObject.class.isAssignableFrom(type);
    return isProxy && beans.containsBean(behind) ? behind : name;
  }

  /** The methods that have the annotation, with all of it they have. */
  public Map<Method, Set<A>> methodsOf(Candidate bean) {
    return MethodIntrospector.selectMethods(
        bean.type(),
        (Method method) -> {
          Set<A> all =
              annotation.isAnnotationPresent(Repeatable.class)
                  ? AnnotatedElementUtils.findMergedRepeatableAnnotations(method, annotation)
                  : AnnotatedElementUtils.findAllMergedAnnotations(method, annotation);
          return all.isEmpty() ? null : all;
        });
  }

  /**
   * The annotations of a kind that speak of the bean: on its class or on its factory method.
   *
   * @param bean the bean
   * @param kind the annotation, or the one that holds several of it
   * @return all that are there, each once
   */
  public <B extends Annotation> Set<B> annotationsOn(Candidate bean, Class<B> kind) {
    Set<B> all = new LinkedHashSet<>(beans.findAllAnnotationsOnBean(bean.name(), kind, false));
    all.addAll(beans.findAllAnnotationsOnBean(behind(bean.name()), kind, false));
    return all;
  }

  /**
   * A method as it is called on the bean that others see.
   *
   * @throws IllegalArgumentException if it cannot be called through the bean's proxy, with the way
   *     out
   */
  public BeanMethod method(Candidate bean, Method method) {
    return BeanMethod.of(beans, bean, method);
  }
}
