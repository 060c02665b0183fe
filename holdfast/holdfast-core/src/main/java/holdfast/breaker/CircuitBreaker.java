package holdfast.breaker;

import holdfast.problems.Problems;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Optional;

/**
 * A switch that keeps requests away from something that fails.
 *
 * <p>It counts requests, not the events in them. {@code CLOSED}: every request goes ahead; after
 * {@code threshold} failures in a row it opens. {@code OPEN}: none goes ahead until {@code rest}
 * has passed. {@code HALF_OPEN}: one probe goes ahead; its success closes the breaker, its failure
 * opens it for another rest. No thread is needed for that: whoever asks next finds the rest over.
 *
 * <pre>{@code
 * Optional<CircuitBreaker.Permit> permit = breaker.tryAcquire();
 * if (permit.isEmpty()) {
 *   return laterPlease(breaker.rest());
 * }
 * try (CircuitBreaker.Permit request = permit.get()) {
 *   try {
 *     send(batch);
 *     request.succeeded();
 *   } catch (IOException e) {
 *     request.failed();
 *     throw e;
 *   }
 * }
 * }</pre>
 *
 * <p>A permit that is closed without a verdict counts for nothing: the request was never sent. A
 * probe that gives no verdict within another rest is forgotten, and the next request is the probe.
 *
 * <p>Safe for use by many threads.
 */
public final class CircuitBreaker {

  private static final Duration LONGEST_REST = Duration.ofNanos(Long.MAX_VALUE);

  /** What the breaker does with a request now. */
  public enum State {
    /** Requests go ahead. */
    CLOSED,
    /** Requests are refused until the rest is over. */
    OPEN,
    /** The rest is over; one probe at a time decides. */
    HALF_OPEN
  }

  /*
   * All fields below are guarded by this object's lock; it is held for a few instructions and a
   * reading of the clock. An era is the time between two changes of the switch. A permit remembers
   * the era it was given in, and its verdict counts only in that era: a slow request from before the
   * outage can neither close the breaker nor open it anew.
   */
  private final int threshold;
  private final long restNanos;
  private final TimeSource time;
  private boolean open;
  private long openedAt;
  private boolean probing;
  private long probingSince;
  private int failuresInARow;
  private long era;

  /**
   * A closed breaker.
   *
   * @param threshold how many requests in a row must fail to open it, 1 or more
   * @param rest how long it stays open before a probe may go ahead, more than zero
   * @param time the clock the rest is measured by
   * @throws IllegalArgumentException if the threshold or the rest is out of range
   */
  public CircuitBreaker(int threshold, Duration rest, TimeSource time) {
    new Problems("CircuitBreaker")
        .require(threshold >= 1, "threshold", "be 1 or more", threshold)
        .require(rest.compareTo(Duration.ZERO) > 0, "rest", "be more than zero", rest)
        .require(rest.compareTo(LONGEST_REST) <= 0, "rest", "be 292 years or less", rest)
        .throwIfAny();
    this.threshold = threshold;
    this.restNanos = rest.toNanos();
    this.time = time;
  }

  /** A permit for one request, or empty when the breaker refuses it. */
  public synchronized Optional<Permit> tryAcquire() {
    if (!open) {
      return Optional.of(new Permit(era, false));
    }
    if (waitLeft() > 0) {
      return Optional.empty();
    }
    if (probing) {
      beginEra(); // the last probe was never heard of again
    }
    probing = true;
    probingSince = time.nanoTime();
    return Optional.of(new Permit(era, true));
  }

  /** What the breaker would do with a request now; an open breaker turns half-open by itself. */
  public synchronized State state() {
    if (!open) {
      return State.CLOSED;
    }
    return left(openedAt) > 0 ? State.OPEN : State.HALF_OPEN;
  }

  /**
   * How long a refused request should wait: until the breaker is half-open or, while a probe is
   * under way, until it is given up. Zero when a request would go ahead now.
   */
  public synchronized Duration rest() {
    return open ? Duration.ofNanos(waitLeft()) : Duration.ZERO;
  }

  /** Opens the breaker for a full rest, whatever was counted before. */
  public synchronized void trip() {
    open = true;
    openedAt = time.nanoTime();
    beginEra();
  }

  private synchronized void settle(Permit permit, boolean success) {
    if (permit.era != era) {
      return;
    }
    if (success) {
      failuresInARow = 0;
      if (permit.probe) {
        open = false;
        beginEra();
      }
    } else if (permit.probe || ++failuresInARow >= threshold) {
      trip();
    }
  }

  private synchronized void release(Permit permit) {
    if (permit.probe && permit.era == era) {
      probing = false;
    }
  }

  private void beginEra() {
    era++;
    probing = false;
    failuresInARow = 0;
  }

  private long waitLeft() {
    return left(probing ? probingSince : openedAt);
  }

  private long left(long since) {
    return Math.max(0, restNanos - (time.nanoTime() - since));
  }

  /**
   * The right to make one request. Its first verdict counts; closing it without one (the request
   * was never sent) lets another request be the probe. Confined to the thread that makes the
   * request, or handed on safely.
   */
  public final class Permit implements AutoCloseable {
    private final long era;
    private final boolean probe;
    private boolean settled;

    private Permit(long era, boolean probe) {
      this.era = era;
      this.probe = probe;
    }

    /** Reports that the request was answered. */
    public void succeeded() {
      verdict(true);
    }

    /** Reports that the request failed. */
    public void failed() {
      verdict(false);
    }

    /** Releases the permit if no verdict was reported; otherwise does nothing. */
    @Override
    public void close() {
      if (!settled) {
        settled = true;
        release(this);
      }
    }

    private void verdict(boolean success) {
      if (!settled) {
        settled = true;
        settle(this, success);
      }
    }
  }
}
