package eventlog.spring;

import eventlog.AsyncEventLogger;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Says why there is no event log when something wants one. Stateless. */
@Order(Ordered.HIGHEST_PRECEDENCE) // before Boot's own, which can only list conditions
final class MissingEventLogFailureAnalyzer
    extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {
  private static final Set<Class<?>> OURS = Set.of(AsyncEventLogger.class, EventLogContext.class);

  private final @Nullable Environment environment;

  MissingEventLogFailureAnalyzer(@Nullable Environment environment) {
    this.environment = environment;
  }

  @Override
  protected @Nullable FailureAnalysis analyze(
      Throwable rootFailure, NoSuchBeanDefinitionException cause) {
    Class<?> wanted =
        cause.getResolvableType() == null ? null : cause.getResolvableType().resolve();
    if (wanted == null || !OURS.contains(wanted) || cause.getNumberOfBeansFound() > 0) {
      return null;
    }
    MissingEventLog missing = MissingEventLog.in(environment);
    return new FailureAnalysis(
        "a bean wants " + wanted.getSimpleName() + ", but " + missing.reason(),
        missing.action(),
        cause);
  }
}
