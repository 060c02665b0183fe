package failover.spring;

import failover.Failover;
import failover.FailoverSpec;
import failover.Failovers;
import failover.expiry.ExpiryExpressions;
import failover.expiry.ExpiryPolicy;
import failover.key.KeyGenerator;
import failover.proxy.AnnotatedPoint;
import failover.proxy.AnnotatedPoint.Shape;
import failover.proxy.AnnotatedPoints;
import holdfast.spring.AdvicePlacement;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/** The points of annotated methods, each built once. Safe for use by many threads. */
public final class FailoverMethods {
  private final Failovers failovers;
  private final AnnotatedPoints points;
  private final Map<MethodClassKey, Optional<AnnotatedPoint>> known = new ConcurrentHashMap<>();
  private final Map<Method, Optional<AnnotatedPoint>> byDeclaration = new ConcurrentHashMap<>();
  private final Map<String, Method> byName = new ConcurrentHashMap<>();

  /**
   * No points yet.
   *
   * @param failovers the door that calls go through
   * @param points builds points
   */
  public FailoverMethods(Failovers failovers, AnnotatedPoints points) {
    this.failovers = failovers;
    this.points = points;
  }

  /**
   * Points whose annotations may name key generators and expiry policies among the beans, and use
   * placeholders of the environment.
   */
  public static FailoverMethods of(Failovers failovers, ConfigurableListableBeanFactory beans) {
    return new FailoverMethods(
        failovers,
        new AnnotatedPoints(
            beans.getBeansOfType(KeyGenerator.class),
            beans.getBeansOfType(ExpiryPolicy.class),
            new ExpiryExpressions(text -> String.valueOf(beans.resolveEmbeddedValue(text)))));
  }

  Failovers failovers() {
    return failovers;
  }

  /**
   * The point of a method.
   *
   * @param method of the class itself or of one above it, not of an interface
   * @param type the class of the bean
   * @throws IllegalArgumentException if its annotation does not fit
   */
  Optional<AnnotatedPoint> pointOf(Method method, Class<?> type) {
    MethodClassKey key = new MethodClassKey(method, type);
    Optional<AnnotatedPoint> point = known.get(key);
    return point != null ? point : known.computeIfAbsent(key, it -> build(method, type));
  }

  /** An annotation is one point, whether it is met in an interface or in what implements it. */
  private Optional<AnnotatedPoint> build(Method method, Class<?> type) {
    MergedAnnotation<Failover> annotation = find(method);
    if (!annotation.isPresent()) {
      return Optional.empty();
    }
    Method declared = annotation.getSource() instanceof Method source ? source : method;
    Optional<AnnotatedPoint> built = points.of(annotation.synthesize(), method, type);
    Optional<AnnotatedPoint> point =
        byDeclaration.computeIfAbsent(declared, it -> registered(built, it));
    if (point.isPresent() && built.isPresent()) {
      requireSameType(point.get().spec(), built.get().spec(), declared);
    }
    return point;
  }

  private Optional<AnnotatedPoint> registered(Optional<AnnotatedPoint> point, Method declared) {
    point.ifPresent(
        it -> {
          requireOwnName(it.spec().name(), declared);
          if (it.shape() != Shape.NOTHING) {
            failovers.register(it.spec());
          }
        });
    return point;
  }

  /** A method that several classes inherit may answer something else in each of them. */
  private static void requireSameType(FailoverSpec<?> one, FailoverSpec<?> other, Method declared) {
    String type = one.type().getTypeName();
    if (!type.equals(other.type().getTypeName())) {
      throw new IllegalArgumentException(
          "the answers of failover '%s' on %s must be of one type but are of %s and of %s; override"
                  .formatted(
                      one.name(),
                      AdvicePlacement.nameOf(declared),
                      type,
                      other.type().getTypeName())
              + " the method in each class with an annotation and a name of its own");
    }
  }

  private void requireOwnName(String name, Method method) {
    Method other = byName.putIfAbsent(name, method);
    if (other != null && !other.equals(method)) {
      throw new IllegalArgumentException(
          "the name of a failover must be its own but '%s' is on %s and on %s; rename one, and use"
                  .formatted(name, AdvicePlacement.nameOf(other), AdvicePlacement.nameOf(method))
              + " domain if they are to share answers");
    }
  }

  /** The annotation of a method, in its class or in a type above it; the nearest one counts. */
  static Optional<Failover> annotationOf(Method method) {
    return find(method).synthesize(MergedAnnotation::isPresent);
  }

  private static MergedAnnotation<Failover> find(Method method) {
    return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(Failover.class);
  }
}
