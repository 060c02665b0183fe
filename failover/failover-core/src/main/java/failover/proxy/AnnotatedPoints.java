package failover.proxy;

import failover.Failover;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.FailoverSpecBuilder;
import failover.codec.TypeVariables;
import failover.expiry.ExpiryExpressions;
import failover.expiry.ExpiryPolicy;
import failover.key.KeyGenerator;
import failover.key.KeyTypes;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Builds points of annotated methods, and says what is wrong with them. Immutable.
 *
 * @param keyGenerators by the names that annotations use
 * @param expiryPolicies by the names that annotations use
 * @param expressions reads expiries
 */
public record AnnotatedPoints(
    Map<String, KeyGenerator> keyGenerators,
    Map<String, ExpiryPolicy> expiryPolicies,
    ExpiryExpressions expressions) {

  /** Points whose annotations name nothing, with expressions of system properties. */
  public static AnnotatedPoints plain() {
    return new AnnotatedPoints(Map.of(), Map.of(), ExpiryExpressions.ofSystemProperties());
  }

  /**
   * The point of a method of its own class.
   *
   * @return nothing if the method is not annotated, or its annotation has an empty name
   * @throws IllegalArgumentException if the annotation does not fit the method
   */
  public Optional<AnnotatedPoint> of(Method method) {
    Failover annotation = method.getAnnotation(Failover.class);
    return annotation == null ? Optional.empty() : of(annotation, method);
  }

  /**
   * The point of a method whose annotation is elsewhere, in an interface for instance.
   *
   * @return nothing if the annotation has an empty name
   * @throws IllegalArgumentException if the annotation does not fit the method
   */
  public Optional<AnnotatedPoint> of(Failover annotation, Method method) {
    return of(annotation, method, method.getDeclaringClass());
  }

  /**
   * The point of a method where it is called on objects of a class, which may say what the type
   * variables of a class above it stand for.
   *
   * @return nothing if the annotation has an empty name
   * @throws IllegalArgumentException if the annotation does not fit the method
   */
  public Optional<AnnotatedPoint> of(Failover annotation, Method method, Class<?> target) {
    if (annotation.name().isEmpty()) {
      return Optional.empty();
    }
    Type given = TypeVariables.resolve(method.getGenericReturnType(), target);
    AnnotatedPoint.Shape shape = shapeOf(given);
    Type answer = answerType(annotation, method, given, shape);
    if (TypeVariables.areIn(answer)) {
      throw new IllegalArgumentException(
          "the answer of failover '%s' on %s must be of a known type but is of %s in %s; "
                  .formatted(annotation.name(), method, answer.getTypeName(), target.getName())
              + "say what its type variables stand for where the class extends or implements"
              + " another, or override the method there with a type of its own");
    }
    FailoverSpecBuilder<Object> builder =
        FailoverSpec.ofType(annotation.name(), answer)
            .domain(annotation.domain())
            .expiry(expressions.expiryOf(annotation))
            .method(method.getDeclaringClass().getSimpleName() + "#" + method.getName())
            .recoverOn(Arrays.asList(annotation.recoverOn()))
            .neverOn(Arrays.asList(annotation.neverOn()));
    setTimes(builder, annotation, shape, method);
    if (!annotation.expiryPolicy().isEmpty()) {
      builder.expiryPolicy(
          named("expiryPolicy", annotation, annotation.expiryPolicy(), expiryPolicies));
    }
    if (annotation.keyGenerator().isEmpty()) {
      requireKeys(annotation, method);
    } else {
      builder.keyGenerator(
          named("keyGenerator", annotation, annotation.keyGenerator(), keyGenerators));
    }
    return Optional.of(new AnnotatedPoint(builder.build(), shape));
  }

  private void setTimes(
      FailoverSpecBuilder<Object> builder,
      Failover annotation,
      AnnotatedPoint.Shape shape,
      Method method) {
    Optional<Duration> soft =
        expressions.durationOf(annotation, "softTimeout", annotation.softTimeout());
    Optional<Duration> hard =
        expressions.durationOf(annotation, "hardTimeout", annotation.hardTimeout());
    if (shape == AnnotatedPoint.Shape.LATER && (soft.isPresent() || hard.isPresent())) {
      throw new IllegalArgumentException(
          "failover '%s' on %s must have no timeout because its answer comes later; use orTimeout"
                  .formatted(annotation.name(), method)
              + " on the stage");
    }
    soft.ifPresent(builder::softTimeout);
    hard.ifPresent(builder::hardTimeout);
    builder.pause(
        expressions
            .durationOf(annotation, "pause", annotation.pause())
            .orElse(FailoverSpecBuilder.DEFAULT_PAUSE),
        expressions
            .durationOf(annotation, "longestPause", annotation.longestPause())
            .orElse(FailoverSpecBuilder.DEFAULT_LONGEST_PAUSE));
  }

  private static void requireKeys(Failover annotation, Method method) {
    for (Class<?> type : method.getParameterTypes()) {
      KeyTypes.problem(type)
          .ifPresent(
              problem -> {
                throw new IllegalArgumentException(
                    "failover '%s' on %s: %s; give it a keyGenerator"
                        .formatted(annotation.name(), method, problem));
              });
    }
  }

  private static <V> V named(
      String attribute, Failover annotation, String name, Map<String, V> known) {
    @Nullable V found = known.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "%s of failover '%s' must be one of %s but was '%s'; correct the name, or add one of that name"
              .formatted(attribute, annotation.name(), new TreeSet<>(known.keySet()), name));
    }
    return found;
  }

  private static AnnotatedPoint.Shape shapeOf(Type given) {
    Type type = given instanceof ParameterizedType generic ? generic.getRawType() : given;
    if (type == void.class || type == Void.class) {
      return AnnotatedPoint.Shape.NOTHING;
    }
    if (type == CompletionStage.class || type == CompletableFuture.class) {
      return AnnotatedPoint.Shape.LATER;
    }
    return type == FailoverResult.class ? AnnotatedPoint.Shape.RESULT : AnnotatedPoint.Shape.PLAIN;
  }

  private static Type answerType(
      Failover annotation, Method method, Type given, AnnotatedPoint.Shape shape) {
    if (shape != AnnotatedPoint.Shape.LATER && shape != AnnotatedPoint.Shape.RESULT) {
      return given;
    }
    if (!(given instanceof ParameterizedType generic)) {
      throw new IllegalArgumentException(
          "failover '%s' on %s must say what its answer is of, as in %s<Price>, but does not"
              .formatted(annotation.name(), method, method.getReturnType().getSimpleName()));
    }
    return generic.getActualTypeArguments()[0];
  }
}
