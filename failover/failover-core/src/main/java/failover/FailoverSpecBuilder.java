package failover;

import failover.execution.RecoverableFailures;
import failover.expiry.Expiry;
import failover.expiry.ExpiryPolicy;
import failover.key.KeyGenerator;
import failover.key.StoredName;
import failover.slices.PartialRecovery;
import failover.slices.PayloadSplitter;
import holdfast.problems.Problems;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
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
  /** How long the first pause of a source lasts, unless configured: 1 second. */
  public static final Duration DEFAULT_PAUSE = Duration.ofSeconds(1);

  /** How long the longest one lasts, unless configured: 30 seconds. */
  public static final Duration DEFAULT_LONGEST_PAUSE = Duration.ofSeconds(30);

  /** What share of recent calls must fail for a pause, unless configured: {@value}. */
  public static final double DEFAULT_PAUSE_SHARE = 0.5;

  /** How many recent calls must fail for a pause, unless configured: {@value}. */
  public static final int DEFAULT_PAUSE_MINIMUM = 3;

  /** How long calls are recent, unless configured: 10 seconds. */
  public static final Duration DEFAULT_PAUSE_WINDOW = Duration.ofSeconds(10);

  /** The longest name that the table of stored answers takes. */
  public static final int LONGEST_NAME = 50;

  private static final Duration LONGEST = Duration.ofDays(36_525);
  private static final int MOST_MINIMUM = 1_000;
  private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(1);
  private static final Duration LONGEST_WINDOW = Duration.ofHours(1);
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
  @Nullable Predicate<? super T> keepIf;
  List<Class<? extends Throwable>> removesOn = List.of();
  Duration pause = DEFAULT_PAUSE;
  Duration longestPause = DEFAULT_LONGEST_PAUSE;
  double pauseShare = DEFAULT_PAUSE_SHARE;
  int pauseMinimum = DEFAULT_PAUSE_MINIMUM;
  Duration pauseWindow = DEFAULT_PAUSE_WINDOW;
  @Nullable Duration softTimeout;
  @Nullable Duration hardTimeout;
  @Nullable PayloadSplitter<T, ?> payloadSplitter;
  boolean recoverAll;
  PartialRecovery partialRecovery = PartialRecovery.PARTIAL;
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
   * Sets failures that remove the stored answer as a live null does, and are not recovered: the
   * source says that there is nothing any more. HTTP 404 and 410 of known clients do so anyway,
   * unless they are recovered.
   */
  public FailoverSpecBuilder<T> removesOn(Collection<Class<? extends Throwable>> failures) {
    this.removesOn = List.copyOf(Objects.requireNonNull(failures, "removesOn"));
    return this;
  }

  /**
   * Sets which live answers are kept; all otherwise. For one that is not, the last one that was
   * stays. A live null is not asked about, see {@link #tombstones}.
   */
  public FailoverSpecBuilder<T> keepIf(Predicate<? super T> keepIf) {
    this.keepIf = Objects.requireNonNull(keepIf, "keepIf");
    return this;
  }

  /**
   * Sets how long the source is left alone once it fails too often: doubled each time that it still
   * fails when it is tried again.
   *
   * @param first at first; zero for never
   * @param longest in the end
   */
  public FailoverSpecBuilder<T> pause(Duration first, Duration longest) {
    this.pause = Objects.requireNonNull(first, "first");
    this.longestPause = Objects.requireNonNull(longest, "longest");
    return this;
  }

  /** Sets how long the source is left alone at first; zero for never. */
  public FailoverSpecBuilder<T> firstPause(Duration first) {
    return pause(first, longestPause);
  }

  /** Sets how long the source is left alone in the end, if it still fails. */
  public FailoverSpecBuilder<T> longestPause(Duration longest) {
    return pause(pause, longest);
  }

  /** Sets what share of its recent calls must fail for a pause, see {@link #pauseAfter}. */
  public FailoverSpecBuilder<T> pauseShare(double share) {
    return pauseAfter(share, pauseMinimum, pauseWindow);
  }

  /** Sets how many of its recent calls must fail for a pause, see {@link #pauseAfter}. */
  public FailoverSpecBuilder<T> pauseMinimum(int minimum) {
    return pauseAfter(pauseShare, minimum, pauseWindow);
  }

  /** Sets how long a call is recent, see {@link #pauseAfter}. */
  public FailoverSpecBuilder<T> pauseWindow(Duration window) {
    return pauseAfter(pauseShare, pauseMinimum, window);
  }

  /**
   * Sets when the source fails too often: at least that share of its recent calls, and that many of
   * them; of at least 3 different keys, or as many as the minimum if that is less, where keys
   * differ. Defaults: {@value #DEFAULT_PAUSE_SHARE}, {@value #DEFAULT_PAUSE_MINIMUM} and 10
   * seconds. Ten failures in a row are enough instead of the share, once nothing was answered for
   * more than a second.
   *
   * @param share more than 0, and 1 or less
   * @param minimum 1 to 1,000
   * @param window how long a call is recent, 1 second to 1 hour
   */
  public FailoverSpecBuilder<T> pauseAfter(double share, int minimum, Duration window) {
    this.pauseShare = share;
    this.pauseMinimum = minimum;
    this.pauseWindow = Objects.requireNonNull(window, "window");
    return this;
  }

  /**
   * Sets after which time a stored answer is given, if there is one; the call goes on in the
   * background. A call that tries a paused source again is given the stored answer at once. Without
   * a hard timeout the call is over after ten times this, but not before a minute. Inside a
   * transaction only that limit applies, since what is stored may be older than what it has read.
   */
  public FailoverSpecBuilder<T> softTimeout(Duration timeout) {
    this.softTimeout = Objects.requireNonNull(timeout, "softTimeout");
    return this;
  }

  /**
   * Sets after which time a call is given up and interrupted. Inside a transaction the source is
   * asked on the caller's thread; a source that takes no notice of interrupts holds its caller
   * there.
   */
  public FailoverSpecBuilder<T> hardTimeout(Duration timeout) {
    this.hardTimeout = Objects.requireNonNull(timeout, "hardTimeout");
    return this;
  }

  /**
   * Sets what splits answers into slices, each kept under a key of its own; none otherwise. The
   * {@link #keyGenerator} is then asked for the keys of slices.
   */
  public FailoverSpecBuilder<T> payloadSplitter(PayloadSplitter<T, ?> splitter) {
    this.payloadSplitter = Objects.requireNonNull(splitter, "payloadSplitter");
    return this;
  }

  /**
   * Sets whether a failed call gets all slices that are stored under its effective name, whatever
   * its arguments are, as calls without arguments do in any case. For arguments that are filters
   * and no ids. Without a splitter it has no effect, which is a warning at the start.
   */
  public FailoverSpecBuilder<T> recoverAll(boolean recoverAll) {
    this.recoverAll = recoverAll;
    return this;
  }

  /** Sets which answers are given of which some slices are missing; otherwise any. */
  public FailoverSpecBuilder<T> partialRecovery(PartialRecovery partialRecovery) {
    this.partialRecovery = Objects.requireNonNull(partialRecovery, "partialRecovery");
    return this;
  }

  @Nullable Predicate<Throwable> recoverable() {
    return recoverOn.isEmpty() && neverOn.isEmpty()
        ? null
        : RecoverableFailures.of(recoverOn, neverOn);
  }

  /** All that is set; functions count by their class, since those written in a method are new. */
  List<Object> rules() {
    return Collections.unmodifiableList(
        Arrays.<@Nullable Object>asList(
            name,
            type.getTypeName(),
            domain,
            method,
            schemaVersion,
            expiry,
            expiryPolicy.getClass(),
            keyGenerator == null ? null : keyGenerator.getClass(),
            recoverOn,
            neverOn,
            tombstones,
            keepIf == null ? null : keepIf.getClass(),
            removesOn,
            pause,
            longestPause,
            pauseShare,
            pauseMinimum,
            pauseWindow,
            softTimeout,
            hardTimeout,
            payloadSplitter == null ? null : payloadSplitter.getClass(),
            recoverAll,
            partialRecovery));
  }

  /**
   * The point.
   *
   * @throws IllegalArgumentException if something does not fit, naming all of it
   */
  public FailoverSpec<T> build() {
    Problems problems = new Problems("FailoverSpec " + name);
    AnswerTypes.check(problems, "type", type);
    if (payloadSplitter != null) {
      AnswerTypes.check(problems, "sliceType", payloadSplitter.sliceType());
    }
    problems
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
            (name + domain).indexOf(StoredName.SEPARATOR) < 0,
            "name",
            "have no character U+001F, nor have its domain",
            name)
        .require(schemaVersion >= 0, "schemaVersion", "be 0 or more", schemaVersion)
        .require(!pause.isNegative(), "pause", "be zero or more", pause)
        .require(
            longestPause.compareTo(pause) >= 0 && longestPause.compareTo(LONGEST) <= 0,
            "longestPause",
            "be a pause (%s) or more and no more than a century".formatted(pause),
            longestPause)
        .require(
            pauseShare > 0 && pauseShare <= 1,
            "pauseShare",
            "be more than 0, and 1 or less",
            pauseShare)
        .require(
            pauseMinimum >= 1 && pauseMinimum <= MOST_MINIMUM,
            "pauseMinimum",
            "be 1 to " + MOST_MINIMUM,
            pauseMinimum)
        .require(
            pauseWindow.compareTo(SHORTEST_WINDOW) >= 0
                && pauseWindow.compareTo(LONGEST_WINDOW) <= 0,
            "pauseWindow",
            "be 1 second to 1 hour",
            pauseWindow)
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
