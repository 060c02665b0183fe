package failover;

import failover.codec.TypeVariables;
import failover.execution.RecoverableFailures;
import failover.expiry.Expiry;
import failover.expiry.ExpiryPolicy;
import failover.key.KeyGenerator;
import holdfast.problems.Problems;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a {@link FailoverSpec}. Not safe for use by many threads.
 *
 * @param <T> what the calls answer
 */
public final class FailoverSpecBuilder<T> {
  /** How long the source is left alone after its first failure, unless configured. */
  public static final Duration DEFAULT_PAUSE = Duration.ofSeconds(1);

  /** How long it is left alone after many, unless configured. */
  public static final Duration DEFAULT_LONGEST_PAUSE = Duration.ofSeconds(30);

  /** The longest name that the table of stored answers takes. */
  public static final int LONGEST_NAME = 50;

  private static final Duration LONGEST = Duration.ofDays(36_525);
  private static final String IN_RANGE = "be more than zero and no more than a century";

  final String name;
  final Type type;
  String domain = "";
  String method = "unknown";
  int schemaVersion = 1;
  Expiry expiry = Expiry.DEFAULT;
  ExpiryPolicy expiryPolicy = ExpiryPolicy.DEFAULT;
  @Nullable KeyGenerator keyGenerator;
  boolean tombstones = true;
  Duration pause = DEFAULT_PAUSE;
  Duration longestPause = DEFAULT_LONGEST_PAUSE;
  @Nullable Duration softTimeout;
  @Nullable Duration hardTimeout;
  private List<Class<? extends Throwable>> recoverOn = List.of();
  private List<Class<? extends Throwable>> neverOn = List.of();

  FailoverSpecBuilder(String name, Type type) {
    this.name = name;
    this.type = type;
  }

  /** Sets the name under which several points share their answers; blank for the point's own. */
  public FailoverSpecBuilder<T> domain(String domain) {
    this.domain = Objects.requireNonNull(domain, "domain");
    return this;
  }

  /** Sets which method it stands for, as {@code Type#method}: what meters and events call it by. */
  public FailoverSpecBuilder<T> method(String method) {
    this.method = Objects.requireNonNull(method, "method");
    return this;
  }

  /** Sets the version of the type, to be raised when stored answers no longer fit; 1 otherwise. */
  public FailoverSpecBuilder<T> schemaVersion(int schemaVersion) {
    this.schemaVersion = schemaVersion;
    return this;
  }

  /**
   * Sets how long answers stay good; an hour otherwise.
   *
   * @throws IllegalArgumentException if it is not more than zero, or more than 292 years
   */
  public FailoverSpecBuilder<T> expiry(Duration expiry) {
    try {
      return expiry(Expiry.of(Objects.requireNonNull(expiry, "expiry")));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("failover '%s': %s".formatted(name, e.getMessage()), e);
    }
  }

  /** Sets how long answers stay good; replaces what was set before. */
  public FailoverSpecBuilder<T> expiry(Expiry expiry) {
    this.expiry = Objects.requireNonNull(expiry, "expiry");
    return this;
  }

  /** Sets what decides when an answer is too old, in the place of the expiry. */
  public FailoverSpecBuilder<T> expiryPolicy(ExpiryPolicy expiryPolicy) {
    this.expiryPolicy = Objects.requireNonNull(expiryPolicy, "expiryPolicy");
    return this;
  }

  /** Sets what makes keys; all arguments otherwise. */
  public FailoverSpecBuilder<T> keyGenerator(KeyGenerator keyGenerator) {
    this.keyGenerator = Objects.requireNonNull(keyGenerator, "keyGenerator");
    return this;
  }

  /** Sets the failures to be recovered; none for all but the mistakes of callers. */
  public FailoverSpecBuilder<T> recoverOn(Collection<Class<? extends Throwable>> failures) {
    this.recoverOn = List.copyOf(Objects.requireNonNull(failures, "recoverOn"));
    return this;
  }

  /** Sets failures never to be recovered; wins over {@link #recoverOn}. */
  public FailoverSpecBuilder<T> neverOn(Collection<Class<? extends Throwable>> failures) {
    this.neverOn = List.copyOf(Objects.requireNonNull(failures, "neverOn"));
    return this;
  }

  /** Sets whether a live null takes the place of the stored answer, as it does otherwise. */
  public FailoverSpecBuilder<T> tombstones(boolean tombstones) {
    this.tombstones = tombstones;
    return this;
  }

  /**
   * Sets how long the source is left alone after a failure: doubled with each further one.
   *
   * @param first after the first; zero for never
   * @param longest after many
   */
  public FailoverSpecBuilder<T> pause(Duration first, Duration longest) {
    this.pause = Objects.requireNonNull(first, "first");
    this.longestPause = Objects.requireNonNull(longest, "longest");
    return this;
  }

  /**
   * Sets after which time a stored answer is given, if there is one; the call goes on behind. After
   * a failure, who tries the source again is given the stored answer at once.
   */
  public FailoverSpecBuilder<T> softTimeout(Duration timeout) {
    this.softTimeout = Objects.requireNonNull(timeout, "softTimeout");
    return this;
  }

  /** Sets after which time a call is given up and interrupted. */
  public FailoverSpecBuilder<T> hardTimeout(Duration timeout) {
    this.hardTimeout = Objects.requireNonNull(timeout, "hardTimeout");
    return this;
  }

  @Nullable Predicate<Throwable> recoverable() {
    return recoverOn.isEmpty() && neverOn.isEmpty()
        ? null
        : RecoverableFailures.of(recoverOn, neverOn);
  }

  /**
   * The point.
   *
   * @throws IllegalArgumentException if something does not fit, naming all of it
   */
  public FailoverSpec<T> build() {
    new Problems("FailoverSpec " + name)
        .require(
            !name.isBlank() && name.length() <= LONGEST_NAME,
            "name",
            "have 1 to %d characters".formatted(LONGEST_NAME),
            name)
        .require(
            domain.length() <= LONGEST_NAME,
            "domain",
            "have at most %d characters".formatted(LONGEST_NAME),
            domain)
        .require(
            !TypeVariables.areIn(type),
            "type",
            "say what its type variables stand for, as in List<Price>,",
            type.getTypeName())
        .require(schemaVersion >= 0, "schemaVersion", "be 0 or more", schemaVersion)
        .require(!pause.isNegative(), "pause", "be zero or more", pause)
        .require(
            longestPause.compareTo(pause) >= 0 && longestPause.compareTo(LONGEST) <= 0,
            "longestPause",
            "be a pause (%s) or more and no more than a century".formatted(pause),
            longestPause)
        .require(isInRange(softTimeout), "softTimeout", IN_RANGE, softTimeout)
        .require(isInRange(hardTimeout), "hardTimeout", IN_RANGE, hardTimeout)
        .require(
            softTimeout == null || hardTimeout == null || softTimeout.compareTo(hardTimeout) < 0,
            "softTimeout",
            "be less than hardTimeout (%s)".formatted(hardTimeout),
            softTimeout)
        .throwIfAny();
    return new FailoverSpec<>(this);
  }

  private static boolean isInRange(@Nullable Duration timeout) {
    return timeout == null
        || (timeout.compareTo(Duration.ZERO) > 0 && timeout.compareTo(LONGEST) <= 0);
  }
}
