package failover.spring;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Finds methods that take part in the transaction of their caller: a failure marks it for rollback,
 * whatever their caller is given instead. Reads the annotation by its name, since an application
 * need not have transactions. Stateless.
 */
final class CallersTransaction {
  private static final String ANNOTATION =
      "org.springframework.transaction.annotation.Transactional";

  /** The others have a transaction of their own, none, or a savepoint to go back to. */
  private static final Set<String> TAKES_PART = Set.of("REQUIRED", "SUPPORTS", "MANDATORY");

  private CallersTransaction() {}

  /**
   * How a method takes part in the transaction of its caller; empty if it does not.
   *
   * @param method the most specific one
   * @param type the class of the bean
   */
  static Optional<String> propagation(Method method, Class<?> type) {
    MergedAnnotation<?> own = nearest(method);
    MergedAnnotation<?> declared = own.isPresent() ? own : nearest(type);
    if (!declared.isPresent() || survivesFailures(declared)) {
      return Optional.empty();
    }
    return declared.getValue("propagation").map(String::valueOf).filter(TAKES_PART::contains);
  }

  private static MergedAnnotation<?> nearest(AnnotatedElement element) {
    return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).get(ANNOTATION);
  }

  private static boolean survivesFailures(MergedAnnotation<?> declared) {
    return Arrays.stream(declared.getClassArray("noRollbackFor"))
        .anyMatch(it -> it.isAssignableFrom(RuntimeException.class));
  }
}
