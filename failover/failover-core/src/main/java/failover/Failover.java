package failover;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.temporal.ChronoUnit;

/** A method whose last good answer is kept and given when it fails. */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Failover {

  /** The name of the point, its own in the whole application; empty for no failover at all. */
  String name();

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

  /** The name under which several points share their answers; blank for the point's own. */
  String domain() default "";

  /** Failures to be recovered; empty for all but those that the caller is to blame for. */
  Class<? extends Throwable>[] recoverOn() default {};

  /** Failures never to be recovered; wins over {@link #recoverOn}. */
  Class<? extends Throwable>[] neverOn() default {};

  /**
   * After which time a stored answer is given while the call goes on behind, such as {@code 300ms},
   * {@code PT0.3S} or {@code ${prices.patience:300ms}}; blank for never. At once for the call that
   * tries a source which has failed before. Not for stages.
   */
  String softTimeout() default "";

  /** After which time the call is given up and interrupted, written likewise; blank for never. */
  String hardTimeout() default "";

  /** How long the source is left alone after a failure, at first; {@code 0s} for not at all. */
  String pause() default "1s";

  /** How long it is left alone after many failures. */
  String longestPause() default "30s";
}
