package failover;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.temporal.ChronoUnit;

/**
 * A method whose last good answer is kept and given when it fails.
 *
 * <p>On a type it stands for every public method of the type with a result, each a point of its
 * own; an annotation on a method wins, and one with an empty name leaves the method out. It may
 * also stand on another annotation, whose attributes of the same names and types replace those
 * given there; with Spring, {@code @AliasFor} gives them other names.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Failover {

  /**
   * The name of the point, its own in the whole application; empty for no failover at all. On a
   * type it is what the names of its points begin with: {@code shop} gives {@code shop-price} for
   * the method {@code price}.
   */
  String name();

  /**
   * How long answers stay good, such as {@code 6h}, {@code 30d} or {@code ${prices.keep:6h}}; wins
   * over the duration and its unit if it is not blank.
   */
  String expiry() default "";

  /** How long answers stay good, in units. */
  long expiryDuration() default 1;

  /** The same as an expression, such as {@code ${prices.keep:6}}; wins if it is not blank. */
  String expiryDurationExpression() default "";

  /** The unit, of the clock or of the calendar. */
  ChronoUnit expiryUnit() default ChronoUnit.HOURS;

  /** The same as an expression; wins if it is not blank. */
  String expiryUnitExpression() default "";

  /** The name of a {@link failover.key.KeyGenerator}; empty for all arguments. */
  String keyGenerator() default "";

  /** The name of an {@link failover.expiry.ExpiryPolicy}; empty for the expiry above. */
  String expiryPolicy() default "";

  /**
   * The name of a {@link failover.slices.PayloadSplitter}, which splits answers into slices that
   * are each kept under a key of their own; empty for answers that are kept as a whole.
   */
  String payloadSplitter() default "";

  /**
   * Whether a failed call gets all slices that are stored, whatever its arguments are, as calls
   * without arguments do in any case. For arguments that are filters and no ids. Without a splitter
   * it has no effect, which is a warning at the start.
   */
  boolean recoverAll() default false;

  /**
   * Which share of the slices of an answer must be found for it to be given, from 0 to 1. With 0
   * one of them is enough, with 1 none may be missing.
   */
  double leastShare() default 0;

  /** The name under which several points share their answers; blank for the point's own. */
  String domain() default "";

  /** Failures to be recovered; empty for all but those that the caller is to blame for. */
  Class<? extends Throwable>[] recoverOn() default {};

  /** Failures never to be recovered; wins over {@link #recoverOn}. */
  Class<? extends Throwable>[] neverOn() default {};

  /**
   * Failures that remove the stored answer, as a null does, and are not recovered. HTTP 404 and 410
   * of known clients do so anyway, unless they are recovered.
   */
  Class<? extends Throwable>[] removesOn() default {};

  /**
   * The name of a {@link java.util.function.Predicate} that says which answers are kept; empty for
   * all. For one that is not, the last one that was stays.
   */
  String keepIf() default "";

  /**
   * After which time a stored answer is given while the call goes on behind, such as {@code 300ms},
   * {@code PT0.3S} or {@code ${prices.patience:300ms}}; blank for never. At once for the call that
   * tries a source which has failed before. Not for stages, and not inside a transaction.
   */
  String softTimeout() default "";

  /**
   * After which time the call is given up and interrupted, written likewise; blank for never, or
   * for ten times the soft timeout but no less than a minute, if there is one. Inside a transaction
   * the source is asked on the thread of its caller, which is interrupted then.
   */
  String hardTimeout() default "";

  /**
   * How long the source is left alone at first, once it fails too often; {@code 0s} for not at all.
   */
  String pause() default "1s";

  /** How long it is left alone in the end, if it still fails whenever it is tried again. */
  String longestPause() default "30s";

  /** What share of its recent calls must fail for a pause, more than 0 and up to 1. */
  double pauseShare() default FailoverSpecBuilder.DEFAULT_PAUSE_SHARE;

  /** How many of its recent calls must fail for a pause, of 3 different keys where keys differ. */
  int pauseMinimum() default FailoverSpecBuilder.DEFAULT_PAUSE_MINIMUM;

  /** How long a call is recent. */
  String pauseWindow() default "10s";
}
