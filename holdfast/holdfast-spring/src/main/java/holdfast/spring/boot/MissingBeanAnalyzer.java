package holdfast.spring.boot;

import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

/**
 * Says why a starter's bean is not there when something wants it; before Boot's own analysis, which
 * can only list conditions. Immutable.
 */
public class MissingBeanAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException>
    implements Ordered {
  private final Set<Class<?>> ours;
  private final Supplier<Missing> missing;

  /**
   * For beans that are missing for the same reason.
   *
   * @param missing looks for the reason
   * @param ours the types of the beans
   */
  protected MissingBeanAnalyzer(Supplier<Missing> missing, Class<?>... ours) {
    this.missing = missing;
    this.ours = Set.of(ours);
  }

  @Override
  public final int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }

  @Override
  protected final @Nullable FailureAnalysis analyze(
      Throwable rootFailure, NoSuchBeanDefinitionException cause) {
    Class<?> wanted =
        cause.getResolvableType() == null ? null : cause.getResolvableType().resolve();
    if (wanted == null || !ours.contains(wanted) || cause.getNumberOfBeansFound() > 0) {
      return null;
    }
    Missing found = missing.get();
    return new FailureAnalysis(
        "a bean wants " + wanted.getSimpleName() + ", but " + found.reason(),
        found.action(),
        cause);
  }
}
