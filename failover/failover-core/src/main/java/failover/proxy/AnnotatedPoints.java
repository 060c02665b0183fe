package failover.proxy;

import failover.Failover;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.FailoverSpecBuilder;
import failover.Failovers;
import failover.Source;
import failover.expiry.ExpiryPolicy;
import failover.key.KeyGenerator;
import failover.key.canonical.KeyTypes;
import failover.proxy.annotations.ExpiryExpressions;
import failover.proxy.annotations.FailoverAnnotations;
import failover.proxy.annotations.Placeholders;
import failover.slices.PartialRecovery;
import failover.slices.PayloadSplitter;
import failover.types.TypeVariables;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Builds points of annotated methods, and says what is wrong with them. Immutable.
 *
 * @param keyGenerators by the names that annotations use
 * @param expiryPolicies by the names that annotations use
 * @param predicates by the names that annotations use for the answers to be kept
 * @param splitters by the names that annotations use
 * @param placeholders gives a text with all its placeholders filled in; throws if one is unknown
 * @param settings changes what an annotation says of the point of a name, which comes first
 */
public record AnnotatedPoints(
    Map<String, KeyGenerator> keyGenerators,
    Map<String, ExpiryPolicy> expiryPolicies,
    Map<String, Predicate<Object>> predicates,
    Map<String, PayloadSplitter<?, ?>> splitters,
    UnaryOperator<String> placeholders,
    BiConsumer<String, FailoverSpecBuilder<Object>> settings) {

  /** Points whose annotations name no splitters. */
  public AnnotatedPoints(
      Map<String, KeyGenerator> keyGenerators,
      Map<String, ExpiryPolicy> expiryPolicies,
      Map<String, Predicate<Object>> predicates,
      UnaryOperator<String> placeholders,
      BiConsumer<String, FailoverSpecBuilder<Object>> settings) {
    this(keyGenerators, expiryPolicies, predicates, Map.of(), placeholders, settings);
  }

  /** The same points, whose annotations may name these splitters. */
  public AnnotatedPoints withSplitters(Map<String, ? extends PayloadSplitter<?, ?>> named) {
    return new AnnotatedPoints(
        keyGenerators, expiryPolicies, predicates, Map.copyOf(named), placeholders, settings);
  }

  /** Fills in placeholders such as {@code ${prices.keep:6h}} from system properties. */
  public static UnaryOperator<String> systemProperties() {
    return new Placeholders(System::getProperty)::fillIn;
  }

  /** Points whose annotations name nothing, with expressions of system properties. */
  public static AnnotatedPoints plain() {
    return new AnnotatedPoints(
        Map.of(), Map.of(), Map.of(), systemProperties(), (name, point) -> {});
  }

  /**
   * The point of a method of its own class.
   *
   * @return nothing if neither the method nor its class is annotated, or the annotation has an
   *     empty name
   * @throws IllegalArgumentException if the annotation does not fit the method
   */
  public Optional<AnnotatedPoint> of(Method method) {
    return FailoverAnnotations.of(method)
        .or(
            () ->
                FailoverAnnotations.of(method.getDeclaringClass())
                    .flatMap(it -> FailoverAnnotations.forMethod(it, method)))
        .flatMap(annotation -> of(annotation, method));
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
            .expiry(expressions().expiryOf(annotation))
            .method(method.getDeclaringClass().getSimpleName() + "#" + method.getName())
            .recoverOn(Arrays.asList(annotation.recoverOn()))
            .neverOn(Arrays.asList(annotation.neverOn()))
            .removesOn(Arrays.asList(annotation.removesOn()));
    setTimes(builder, annotation);
    if (!annotation.keepIf().isEmpty()) {
      builder.keepIf(named("keepIf", annotation, annotation.keepIf(), predicates));
    }
    if (!annotation.expiryPolicy().isEmpty()) {
      builder.expiryPolicy(
          named("expiryPolicy", annotation, annotation.expiryPolicy(), expiryPolicies));
    }
    if (!annotation.keyGenerator().isEmpty()) {
      builder.keyGenerator(
          named("keyGenerator", annotation, annotation.keyGenerator(), keyGenerators));
    }
    setSlices(builder, annotation);
    settings.accept(annotation.name(), builder);
    FailoverSpec<Object> spec = builder.build();
    requireNoTimeout(spec, shape, method);
    if (spec.keyGenerator().isEmpty() && spec.payloadSplitter().isEmpty()) {
      requireKeys(annotation, method);
    }
    return Optional.of(new AnnotatedPoint(spec, shape));
  }

  @SuppressWarnings("unchecked") // its own methods find out what it is given
  private void setSlices(FailoverSpecBuilder<Object> builder, Failover annotation) {
    builder.recoverAll(annotation.recoverAll());
    builder.partialRecovery(PartialRecovery.atLeast(annotation.leastShare()));
    if (!annotation.payloadSplitter().isEmpty()) {
      PayloadSplitter<?, ?> splitter =
          named("payloadSplitter", annotation, annotation.payloadSplitter(), splitters);
      builder.payloadSplitter((PayloadSplitter<Object, ?>) splitter);
    }
  }

  private static void requireNoTimeout(
      FailoverSpec<?> spec, AnnotatedPoint.Shape shape, Method method) {
    if (shape == AnnotatedPoint.Shape.LATER && spec.isTimed()) {
      throw new IllegalArgumentException(
          "failover '%s' on %s must have no timeout because its answer comes later; use orTimeout"
                  .formatted(spec.name(), method)
              + " on the stage");
    }
  }

  private void setTimes(FailoverSpecBuilder<Object> builder, Failover annotation) {
    expressions()
        .durationOf(annotation, "softTimeout", annotation.softTimeout())
        .ifPresent(builder::softTimeout);
    expressions()
        .durationOf(annotation, "hardTimeout", annotation.hardTimeout())
        .ifPresent(builder::hardTimeout);
    builder.pauseAfter(
        annotation.pauseShare(),
        annotation.pauseMinimum(),
        expressions()
            .durationOf(annotation, "pauseWindow", annotation.pauseWindow())
            .orElse(FailoverSpecBuilder.DEFAULT_PAUSE_WINDOW));
    builder.pause(
        expressions()
            .durationOf(annotation, "pause", annotation.pause())
            .orElse(FailoverSpecBuilder.DEFAULT_PAUSE),
        expressions()
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

  private ExpiryExpressions expressions() {
    return new ExpiryExpressions(placeholders);
  }

  /**
   * The point of an annotated method. Immutable.
   *
   * @param spec the point
   * @param shape how the method gives its answer
   */
  public record AnnotatedPoint(FailoverSpec<Object> spec, Shape shape) {

    /** How a method gives its answer. */
    public enum Shape {
      /** As it is. */
      PLAIN,
      /** As a stage that ends later. */
      LATER,
      /** With how fresh it is. */
      RESULT,
      /** Not at all: there is nothing to keep, and calls pass. */
      NOTHING
    }

    /**
     * Makes a call of the method.
     *
     * @param failovers makes the call
     * @param args the arguments
     * @param method calls the method itself
     * @return what the method is to return
     * @throws Throwable the very failure of the method
     */
    public @Nullable Object call(
        Failovers failovers,
        List<? extends @Nullable Object> args,
        Source<Object, Throwable> method)
        throws Throwable {
      return switch (shape) {
        case NOTHING -> method.get();
        case PLAIN -> failovers.callForResult(spec, args, method).value();
        case RESULT -> failovers.callForResult(spec, args, () -> answerOf(method.get()));
        case LATER -> failovers.callLater(spec, args, () -> stage(method.get()));
      };
    }

    /** The live answer itself; what another point has recovered stays as it is, with its age. */
    private static @Nullable Object answerOf(@Nullable Object result) {
      return result instanceof FailoverResult<?> live && live.upToDate() ? live.value() : result;
    }

    @SuppressWarnings("unchecked") // the method's declared type
    private static @Nullable CompletionStage<Object> stage(@Nullable Object result) {
      return (CompletionStage<Object>) result;
    }
  }
}
