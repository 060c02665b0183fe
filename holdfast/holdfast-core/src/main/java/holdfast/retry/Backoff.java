package holdfast.retry;

import holdfast.problems.Problems;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * How long to wait before attempt n: the base, doubled with every failure, up to a cap, scattered
 * by chance so that many callers do not come back at the same moment.
 *
 * <p>Immutable; safe for use by many threads as long as the jitter is.
 */
public final class Backoff {
  private static final Duration LONGEST_CAP = Duration.ofNanos(Long.MAX_VALUE);

  private final long baseNanos;
  private final long capNanos;
  private final DoubleSupplier jitter;

  private Backoff(long baseNanos, long capNanos, DoubleSupplier jitter) {
    this.baseNanos = baseNanos;
    this.capNanos = capNanos;
    this.jitter = jitter;
  }

  /**
   * A delay that doubles with every failure, multiplied by a chance factor from 0.5 up to 1.5.
   *
   * @param base the delay after the first failure
   * @param cap the longest delay, also after the factor; so about half of the delays that have
   *     grown to the cap are exactly the cap
   * @return the backoff
   * @throws IllegalArgumentException if the base is not above zero, the cap is below the base, or
   *     the cap is more than 292 years
   */
  public static Backoff exponential(Duration base, Duration cap) {
    new Problems("Backoff")
        .require(base.compareTo(Duration.ZERO) > 0, "base", "be more than zero", base)
        .require(cap.compareTo(base) >= 0, "cap", "be " + base + " (the base) or more", cap)
        .require(cap.compareTo(LONGEST_CAP) <= 0, "cap", "be 292 years or less", cap)
        .throwIfAny();
    return new Backoff(base.toNanos(), cap.toNanos(), Backoff::scatter);
  }

  /**
   * The same backoff with another source of chance; replaces the one set before.
   *
   * @param factor gives the number each delay is multiplied by: finite, 0 or more
   * @return a new backoff
   */
  public Backoff withJitter(DoubleSupplier factor) {
    return new Backoff(baseNanos, capNanos, Objects.requireNonNull(factor, "factor"));
  }

  /**
   * The delay after a failed attempt, between zero and the cap.
   *
   * @param attempt how many attempts have failed; 0 or less means none, so there is nothing to wait
   * @return how long to wait before the next attempt
   * @throws IllegalStateException if the jitter gives a number that is negative or not finite
   */
  public Duration delay(int attempt) {
    if (attempt <= 0) {
      return Duration.ZERO;
    }
    double factor = jitter.getAsDouble();
    if (!Double.isFinite(factor) || factor < 0) {
      throw new IllegalStateException(
          "jitter must give a finite factor of 0 or more but gave " + factor);
    }
    // Converting to long saturates, so a huge product becomes the cap and never turns negative.
    return Duration.ofNanos(Math.min(capNanos, (long) (doubled(attempt) * factor)));
  }

  private long doubled(int attempt) {
    int doublings = attempt - 1;
    boolean beyondCap = doublings > Long.numberOfLeadingZeros(baseNanos) - 1;
    return beyondCap ? capNanos : Math.min(capNanos, baseNanos << doublings);
  }

  private static double scatter() {
    return ThreadLocalRandom.current().nextDouble(0.5, 1.5);
  }
}
