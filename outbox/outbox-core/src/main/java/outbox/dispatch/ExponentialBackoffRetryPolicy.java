package outbox.dispatch;

import holdfast.retry.Backoff;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * A delay that doubles with every failure, scattered by a chance factor from 0.5 to 1.5, and never
 * longer than the longest. Immutable.
 */
public final class ExponentialBackoffRetryPolicy implements RetryPolicy {
  /** The delay after the first failure unless configured, in milliseconds: {@value}. */
  public static final long DEFAULT_BASE_DELAY_MS = 200;

  /** The longest delay unless configured, in milliseconds: {@value}. */
  public static final long DEFAULT_MAX_DELAY_MS = 60_000;

  /** The longest delay where time limits retries, unless configured, in milliseconds: {@value}. */
  public static final long LONG_MAX_DELAY_MS = 600_000;

  private final Backoff backoff;

  /**
   * A policy.
   *
   * @param baseDelayMs the delay after the first failure, 1 or more
   * @param maxDelayMs the longest delay, no shorter than the first
   * @throws IllegalArgumentException if either is out of range
   */
  public ExponentialBackoffRetryPolicy(long baseDelayMs, long maxDelayMs) {
    this(Backoff.exponential(Duration.ofMillis(baseDelayMs), Duration.ofMillis(maxDelayMs)));
  }

  private ExponentialBackoffRetryPolicy(Backoff backoff) {
    this.backoff = backoff;
  }

  /** The same policy with another source of chance. */
  public ExponentialBackoffRetryPolicy withJitter(DoubleSupplier factor) {
    return new ExponentialBackoffRetryPolicy(backoff.withJitter(factor));
  }

  @Override
  public long computeDelayMs(int attempts) {
    return backoff.delay(attempts).toMillis();
  }
}
