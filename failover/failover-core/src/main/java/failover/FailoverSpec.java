package failover;

import failover.Points.RegisteredPoint;
import failover.expiry.Expiry;
import failover.expiry.ExpiryPolicy;
import failover.key.KeyGenerator;
import failover.slices.PartialRecovery;
import failover.slices.PayloadSplitter;
import failover.types.ImmutableTypes;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A failover point: the name and the rules of calls whose answers are kept. Immutable, but for
 * where it was found the last time.
 *
 * <pre>{@code
 * FailoverSpec<Price> price = FailoverSpec.builder("price", Price.class)
 *     .expiry(Duration.ofHours(6))
 *     .build();
 * }</pre>
 *
 * @param <T> what the calls answer
 */
public final class FailoverSpec<T> {
  private static final Duration LEAST_HARD_TIMEOUT = Duration.ofMinutes(1);
  private static final int TIMES_THE_SOFT_ONE = 10;

  private final String name;
  private final String domain;
  private final String method;
  private final String effectiveName;
  private final Type type;
  private final String typeName;
  private final boolean cannotChange;
  private final int schemaVersion;
  private final Expiry expiry;
  private final ExpiryPolicy expiryPolicy;
  private final @Nullable KeyGenerator keyGenerator;
  private final @Nullable Predicate<Throwable> recoverable;
  private final List<Object> rules;
  private final boolean keepsNulls;
  private final @Nullable Predicate<? super T> keepIf;
  private final List<Class<? extends Throwable>> removesOn;
  private final Duration pause;
  private final Duration longestPause;
  private final double pauseShare;
  private final int pauseMinimum;
  private final Duration pauseWindow;
  private final @Nullable Duration softTimeout;
  private final @Nullable Duration hardTimeout;
  private final @Nullable PayloadSplitter<T, ?> payloadSplitter;
  private final boolean recoverAll;
  private final PartialRecovery partialRecovery;
  private final FailoverSpec<?> stored;

  /** Saves looking for its name with every call. Whatever a thread reads here is true. */
  private @Nullable RegisteredPoint found;

  FailoverSpec(FailoverSpecBuilder<T> builder) {
    this(builder, builder.type, builder.keepIf, builder.payloadSplitter);
  }

  private FailoverSpec(
      FailoverSpecBuilder<?> builder,
      Type type,
      @Nullable Predicate<? super T> keepIf,
      @Nullable PayloadSplitter<T, ?> payloadSplitter) {
    this.name = builder.name;
    this.domain = builder.domain;
    this.method = builder.method;
    this.effectiveName = domain.isBlank() ? name : domain;
    this.type = type;
    this.typeName = type.getTypeName();
    this.cannotChange = ImmutableTypes.contains(type);
    this.schemaVersion = builder.schemaVersion;
    this.expiry = builder.expiry;
    this.expiryPolicy = builder.expiryPolicy;
    this.keyGenerator = builder.keyGenerator;
    this.recoverable = builder.recoverable();
    this.keepsNulls = builder.tombstones;
    this.keepIf = keepIf;
    this.removesOn = builder.removesOn;
    this.pause = builder.pause;
    this.longestPause = builder.longestPause;
    this.pauseShare = builder.pauseShare;
    this.pauseMinimum = builder.pauseMinimum;
    this.pauseWindow = builder.pauseWindow;
    this.softTimeout = builder.softTimeout;
    this.hardTimeout = builder.hardTimeout;
    this.payloadSplitter = payloadSplitter;
    this.recoverAll = builder.recoverAll;
    this.partialRecovery = builder.partialRecovery;
    this.rules = builder.rules();
    this.stored =
        payloadSplitter == null
            ? this
            : new FailoverSpec<Object>(builder, payloadSplitter.sliceType(), null, null);
  }

  /**
   * Begins a point.
   *
   * @param name its name, of 1 to 50 characters
   * @param type what its calls answer
   */
  public static <T> FailoverSpecBuilder<T> builder(String name, Class<T> type) {
    return new FailoverSpecBuilder<>(name, type);
  }

  /**
   * Begins a point whose calls answer a generic type.
   *
   * @param name its name, of 1 to 50 characters
   * @param type what its calls answer
   */
  public static <T> FailoverSpecBuilder<T> builder(String name, TypeRef<T> type) {
    return new FailoverSpecBuilder<>(name, type.type());
  }

  /**
   * Begins a point whose type is known only at run time, as adapters do.
   *
   * @param name its name, of 1 to 50 characters
   * @param type what its calls answer
   */
  public static FailoverSpecBuilder<Object> ofType(String name, Type type) {
    return new FailoverSpecBuilder<>(name, type);
  }

  /** The name of the point. */
  public String name() {
    return name;
  }

  /** The name under which answers are kept: the domain, or the name if there is none. */
  public String effectiveName() {
    return effectiveName;
  }

  /** The method it stands for, as {@code Type#method}; {@code unknown} where there is none. */
  public String method() {
    return method;
  }

  /** The type of answers, with its type arguments. */
  public Type type() {
    return type;
  }

  /** The name of that type, as people read it. */
  public String typeName() {
    return typeName;
  }

  /** Whether its answers cannot change, by their type: they are kept by reference then. */
  public boolean cannotChange() {
    return cannotChange;
  }

  /** The version of the type; stored answers of another are as good as none. */
  public int schemaVersion() {
    return schemaVersion;
  }

  /** How long answers stay good. */
  public Expiry expiry() {
    return expiry;
  }

  /** What decides when an answer is too old. */
  public ExpiryPolicy expiryPolicy() {
    return expiryPolicy;
  }

  /** What makes keys, if not all arguments do. */
  public Optional<KeyGenerator> keyGenerator() {
    return Optional.ofNullable(keyGenerator);
  }

  /** Which failures may be recovered, if the point says so itself. */
  public Optional<Predicate<Throwable>> recoverable() {
    return Optional.ofNullable(recoverable);
  }

  /** Whether a live null takes the place of the stored answer. */
  public boolean tombstones() {
    return keepsNulls;
  }

  /** Whether a live answer is kept, in the place of the last one. */
  public boolean keeps(T answer) {
    return keepIf == null || keepIf.test(answer);
  }

  /** Whether the point says of such a failure that it removes the stored answer. */
  public boolean removes(Throwable failure) {
    for (Class<? extends Throwable> type : removesOn) {
      if (type.isInstance(failure)) {
        return true;
      }
    }
    return false;
  }

  /** How long the source is left alone at first, once it fails too often; zero for not at all. */
  public Duration pause() {
    return pause;
  }

  /** How long it is left alone after many failures. */
  public Duration longestPause() {
    return longestPause;
  }

  /** What share of the calls in the window must have failed for a pause, up to 1. */
  public double pauseShare() {
    return pauseShare;
  }

  /** How many calls must have failed for a pause, of 3 different keys where keys differ. */
  public int pauseMinimum() {
    return pauseMinimum;
  }

  /** How long a call counts for the pause. */
  public Duration pauseWindow() {
    return pauseWindow;
  }

  /** After which time a stored answer is given, if there is one. */
  public Optional<Duration> softTimeout() {
    return Optional.ofNullable(softTimeout);
  }

  /** After which time the call is given up. */
  public Optional<Duration> hardTimeout() {
    return Optional.ofNullable(hardTimeout);
  }

  /** What splits its answers into slices; empty if each is kept as a whole. */
  public Optional<PayloadSplitter<T, ?>> payloadSplitter() {
    return Optional.ofNullable(payloadSplitter);
  }

  /** Whether failed calls get all slices there are, whatever their arguments are. */
  public boolean recoversAll() {
    return recoverAll;
  }

  /** Which answers are given of which some slices are missing. */
  public PartialRecovery partialRecovery() {
    return partialRecovery;
  }

  /** The rules by which answers are stored: its own, or those of its slices if it has any. */
  public FailoverSpec<?> stored() {
    return stored;
  }

  /** Itself among the points with that identity, if it was found there the last time. */
  @SuppressWarnings("ReferenceEquality") // points have no content
  @Nullable RegisteredPoint foundAmong(Object points) {
    RegisteredPoint known = found;
    return known != null && known.points() == points ? known : null;
  }

  void found(RegisteredPoint point) {
    found = point;
  }

  /** Whether the other has the same rules, as a spec has that the same code has built again. */
  boolean hasRulesOf(FailoverSpec<?> other) {
    return this == other || rules.equals(other.rules);
  }

  /** Whether calls have a timeout. */
  public boolean isTimed() {
    return softTimeout != null || hardTimeout != null;
  }

  /**
   * How long a call with a timeout may take in all: the hard timeout, or ten times the soft one but
   * no less than a minute.
   */
  public Duration longestCall() {
    if (hardTimeout != null) {
      return hardTimeout;
    }
    Duration many =
        softTimeout == null ? LEAST_HARD_TIMEOUT : softTimeout.multipliedBy(TIMES_THE_SOFT_ONE);
    return many.compareTo(LEAST_HARD_TIMEOUT) < 0 ? LEAST_HARD_TIMEOUT : many;
  }

  @Override
  public String toString() {
    return "failover '%s' of %s".formatted(name, typeName);
  }
}
