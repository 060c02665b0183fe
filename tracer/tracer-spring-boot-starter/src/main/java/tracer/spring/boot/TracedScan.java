package tracer.spring.boot;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import holdfast.spring.AdvicePlacement;
import holdfast.spring.AnnotatedBeans;
import holdfast.spring.AnnotatedBeans.Candidate;
import holdfast.spring.boot.StartException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ReflectionUtils;
import tracer.TraceEvent;
import tracer.spring.Traced;

/**
 * Checks the {@link Traced} methods of all beans when the application starts: names that no event
 * can have fail the start, all of them at once; a method whose calls the advice does not see is a
 * warning. Confined to the thread that starts the application.
 */
final class TracedScan implements SmartInitializingSingleton {
  private static final System.Logger LOG = LibraryLogger.of("tracer");

  private final ConfigurableListableBeanFactory beans;
  private final Set<String> mistakes = new LinkedHashSet<>();

  TracedScan(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public void afterSingletonsInstantiated() {
    AnnotatedBeans<Traced> annotated = new AnnotatedBeans<>(beans, Traced.class);
    for (Candidate bean : annotated.candidates()) {
      methodsOf(annotated, bean).forEach((method, traced) -> check(bean, method, traced));
    }
    if (!mistakes.isEmpty()) {
      throw new StartException(
          "not every @Traced can be recorded:\n- " + String.join("\n- ", mistakes),
          "correct these annotations");
    }
  }

  /** Those that are annotated, and those of an annotated type that look as if they were reached. */
  private static Map<Method, Traced> methodsOf(AnnotatedBeans<Traced> annotated, Candidate bean) {
    Map<Method, Traced> methods = new LinkedHashMap<>();
    annotated.methodsOf(bean).forEach((method, all) -> methods.put(method, all.iterator().next()));
    for (Method method : ReflectionUtils.getUniqueDeclaredMethods(bean.type())) {
      Traced traced = TracedMethods.annotation(method, bean.type());
      if (traced != null && !method.isSynthetic() && !Modifier.isStatic(method.getModifiers())) {
        methods.putIfAbsent(method, traced);
      }
    }
    return methods;
  }

  private void check(Candidate bean, Method method, Traced traced) {
    String name = traced.value();
    if (!name.isEmpty() && (name.isBlank() || name.length() > TraceEvent.LONGEST_NAME)) {
      mistakes.add(
          "the name in @Traced for %s must have from 1 to %d characters, not all blank, but is '%s'"
              .formatted(AdvicePlacement.nameOf(method), TraceEvent.LONGEST_NAME, name));
    }
    List<String> reasons =
        AdvicePlacement.problems(bean.type(), method, beans.getSingleton(bean.name()));
    if (!reasons.isEmpty()) {
      LOG.log(
          WARNING,
          "tracer method is not traced, advice cannot reach it method=%s bean=%s: %s"
              .formatted(AdvicePlacement.nameOf(method), bean.name(), String.join(", ", reasons)));
    }
  }
}
