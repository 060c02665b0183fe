package outbox.spring.boot;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import outbox.OutboxClient;
import outbox.jdbc.JdbcOutbox;

/** Says why there is no outbox when something wants one. Stateless. */
@Order(Ordered.HIGHEST_PRECEDENCE) // before Boot's own, which can only list conditions
final class MissingOutboxFailureAnalyzer
    extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {
  private static final Set<Class<?>> OURS = Set.of(OutboxClient.class, JdbcOutbox.class);

  private final BeanFactory beans;

  MissingOutboxFailureAnalyzer(BeanFactory beans) {
    this.beans = beans;
  }

  @Override
  protected @Nullable FailureAnalysis analyze(
      Throwable rootFailure, NoSuchBeanDefinitionException cause) {
    Class<?> wanted =
        cause.getResolvableType() == null ? null : cause.getResolvableType().resolve();
    if (wanted == null || !OURS.contains(wanted) || cause.getNumberOfBeansFound() > 0) {
      return null;
    }
    MissingOutbox missing = MissingOutbox.in(beans);
    return new FailureAnalysis(
        "a bean wants " + wanted.getSimpleName() + ", but " + missing.reason(),
        missing.action(),
        cause);
  }
}
