package failover.spring;

import failover.FailoverSpec;
import failover.FailoverSpecBuilder;
import failover.Failovers;
import failover.expiry.ExpiryPolicy;
import failover.key.KeyGenerator;
import failover.proxy.AnnotatedPoints;
import failover.proxy.AnnotatedPoints.AnnotatedPoint;
import failover.proxy.AnnotatedPoints.AnnotatedPoint.Shape;
import failover.slices.PayloadSplitter;
import holdfast.spring.AdvicePlacement;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodClassKey;

/** The points of annotated methods, each built once. Safe for use by many threads. */
public final class FailoverMethods {
  private final Failovers failovers;
  private final AnnotatedPoints points;
  private final Map<MethodClassKey, Optional<AnnotatedPoint>> known = new ConcurrentHashMap<>();
  private final Map<MethodClassKey, Optional<AnnotatedPoint>> byDeclaration =
      new ConcurrentHashMap<>();
  private final Map<String, Method> byName = new ConcurrentHashMap<>();

  /**
   * No points yet.
   *
   * @param failovers what calls go through
   * @param points builds points
   */
  public FailoverMethods(Failovers failovers, AnnotatedPoints points) {
    this.failovers = failovers;
    this.points = points;
  }

  /**
   * Points whose annotations may name key generators, expiry policies, predicates and splitters
   * among the beans, and use placeholders of the environment.
   */
  public static FailoverMethods of(Failovers failovers, ConfigurableListableBeanFactory beans) {
    return of(failovers, beans, (name, point) -> {});
  }

  /**
   * The same, and settings come before what annotations say.
   *
   * @param settings changes the point of a name
   */
  public static FailoverMethods of(
      Failovers failovers,
      ConfigurableListableBeanFactory beans,
      BiConsumer<String, FailoverSpecBuilder<Object>> settings) {
    return new FailoverMethods(
        failovers,
        new AnnotatedPoints(
            beans.getBeansOfType(KeyGenerator.class),
            beans.getBeansOfType(ExpiryPolicy.class),
            predicates(beans),
            splitters(beans),
            text -> String.valueOf(beans.resolveEmbeddedValue(text)),
            settings));
  }

  /** Of what they are asked about is known only when they are. */
  @SuppressWarnings("unchecked")
  private static Map<String, Predicate<Object>> predicates(ConfigurableListableBeanFactory beans) {
    Map<String, Predicate<Object>> predicates = new HashMap<>();
    beans
        .getBeansOfType(Predicate.class, true, false)
        .forEach((name, predicate) -> predicates.put(name, (Predicate<Object>) predicate));
    return predicates;
  }

  private static Map<String, PayloadSplitter<?, ?>> splitters(
      ConfigurableListableBeanFactory beans) {
    Map<String, PayloadSplitter<?, ?>> splitters = new HashMap<>();
    beans.getBeansOfType(PayloadSplitter.class).forEach(splitters::put);
    return splitters;
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
    DeclaredFailover declared = DeclaredFailover.of(method, type).orElse(null);
    if (declared == null) {
      return Optional.empty();
    }
    Optional<AnnotatedPoint> built = points.of(declared.annotation(), method, type);
    Optional<AnnotatedPoint> point =
        byDeclaration.computeIfAbsent(
            new MethodClassKey(declared.method(), declared.type()),
            it -> registered(built, declared.method()));
    if (point.isPresent() && built.isPresent()) {
      requireSameType(point.get().spec(), built.get().spec(), declared.method());
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
              + " domain if they are to share answers; where the annotation is on the type, give one"
              + " of the methods its own");
    }
  }
}
