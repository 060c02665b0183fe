package eventlog.spring;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import holdfast.spring.AdvicePlacement;
import holdfast.spring.AnnotatedBeans;
import holdfast.spring.AnnotatedBeans.Candidate;
import holdfast.spring.boot.StartException;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Checks the {@link LogEvent} methods of all beans when the application starts: an attribute that
 * is set to a blank text fails the start, all of them at once; a method whose calls the advice does
 * not see is a warning. Confined to the thread that starts the application.
 */
final class LogEventScan implements SmartInitializingSingleton {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");

  private final ConfigurableListableBeanFactory beans;
  private final Set<String> mistakes = new LinkedHashSet<>();

  LogEventScan(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public void afterSingletonsInstantiated() {
    AnnotatedBeans<LogEvent> annotated = new AnnotatedBeans<>(beans, LogEvent.class);
    for (Candidate bean : annotated.candidates()) {
      annotated
          .methodsOf(bean)
          .forEach((method, all) -> all.forEach(annotation -> check(bean, method, annotation)));
    }
    if (!mistakes.isEmpty()) {
      throw new StartException(
          "not every @LogEvent can be logged:\n- " + String.join("\n- ", mistakes),
          "correct these annotations");
    }
  }

  private void check(Candidate bean, Method method, LogEvent annotation) {
    String name = AdvicePlacement.nameOf(method);
    attributes(annotation)
        .forEach(
            (attribute, text) -> {
              if (text.isBlank() && !text.isEmpty()) {
                mistakes.add(
                    "%s of @LogEvent on %s must have a text but is blank; write one or remove it"
                        .formatted(attribute, name));
              }
            });
    List<String> reasons =
        AdvicePlacement.problems(bean.type(), method, beans.getSingleton(bean.name()));
    if (!reasons.isEmpty()) {
      LOG.log(
          WARNING,
          "eventlog method is not logged, advice cannot reach it method=%s bean=%s: %s"
              .formatted(name, bean.name(), String.join(", ", reasons)));
    }
  }

  private static Map<String, String> attributes(LogEvent annotation) {
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("value", annotation.value());
    texts.put("step", annotation.step());
    texts.put("summary", annotation.summary());
    texts.put("targetSystem", annotation.targetSystem());
    texts.put("originatingSystem", annotation.originatingSystem());
    return texts;
  }
}
