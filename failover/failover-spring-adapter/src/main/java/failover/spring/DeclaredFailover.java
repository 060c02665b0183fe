package failover.spring;

import failover.Failover;
import failover.proxy.annotations.FailoverAnnotations;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * An annotation that counts for a method, and where it stands. Immutable.
 *
 * @param annotation what it says of the method
 * @param method the annotated method, or the one that the annotated type has
 * @param type the annotated type; null if the method itself is annotated
 */
record DeclaredFailover(Failover annotation, Method method, @Nullable Class<?> type) {

  /**
   * The annotation of a method, in its class or in a type above it, otherwise that of a type which
   * has the method; the nearest one counts.
   *
   * @param method the most specific one
   * @param target the class of the bean
   */
  static Optional<DeclaredFailover> of(Method method, Class<?> target) {
    MergedAnnotation<Failover> own = nearest(method).get(Failover.class);
    if (own.isPresent()) {
      Method declared = own.getSource() instanceof Method source ? source : method;
      return Optional.of(new DeclaredFailover(annotation(own), declared, null));
    }
    return nearest(target).stream(Failover.class)
        .sorted(Comparator.comparingInt(MergedAnnotation::getAggregateIndex))
        .flatMap(it -> ofType(it, method, target).stream())
        .findFirst();
  }

  private static MergedAnnotations nearest(AnnotatedElement element) {
    return MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
  }

  private static Optional<DeclaredFailover> ofType(
      MergedAnnotation<Failover> found, Method method, Class<?> target) {
    if (!(found.getSource() instanceof Class<?> type)) {
      return Optional.empty();
    }
    return Arrays.stream(type.getMethods())
        .filter(it -> AopUtils.getMostSpecificMethod(it, target).equals(method))
        .flatMap(
            it ->
                FailoverAnnotations.forMethod(annotation(found), it).stream()
                    .map(annotation -> new DeclaredFailover(annotation, it, type)))
        .findFirst();
  }

  /** With the attributes of the annotations that carry it, the outermost last. */
  private static Failover annotation(MergedAnnotation<Failover> found) {
    Failover annotation = found.synthesize();
    for (MergedAnnotation<?> at = found.getMetaSource(); at != null; at = at.getMetaSource()) {
      annotation = FailoverAnnotations.composed(annotation, at.synthesize());
    }
    return annotation;
  }
}
