package eventbus.spring.boot;

import eventbus.EventBus;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Says why there is no event bus when something wants one. Stateless. */
@Order(Ordered.HIGHEST_PRECEDENCE) // before Boot's own, which can only list conditions
final class MissingEventBusFailureAnalyzer
    extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {
  private final BeanFactory beans;

  MissingEventBusFailureAnalyzer(BeanFactory beans) {
    this.beans = beans;
  }

  @Override
  protected @Nullable FailureAnalysis analyze(
      Throwable rootFailure, NoSuchBeanDefinitionException cause) {
    Class<?> wanted =
        cause.getResolvableType() == null ? null : cause.getResolvableType().resolve();
    if (wanted != EventBus.class || cause.getNumberOfBeansFound() > 0) {
      return null;
    }
    MissingEventBus missing = MissingEventBus.in(beans);
    return new FailureAnalysis(
        "a bean wants EventBus, but " + missing.reason(), missing.action(), cause);
  }
}
