package eventlog.send;

import holdfast.breaker.CircuitBreaker;
import holdfast.breaker.CircuitBreaker.Permit;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * Decides whether a request may go to the API now, for live events and for events from disk
 * together: by the breaker, by the {@code Retry-After} of the last answer that had one, by the
 * number of requests in flight, and for events from disk by their pace. Safe for use by many
 * threads.
 */
public final class Admission {
  /** What an API asks for beyond this is not believed. */
  private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

  /** Events wait in memory for a pause of this length; for a longer one they go to disk. */
  private static final Duration SHORT_PAUSE = Duration.ofSeconds(30);

  private final CircuitBreaker breaker;
  private final Semaphore slots;
  private final Pace pace;
  private final TimeSource time;

  // Guarded by this object's lock, held for a few instructions.
  private long pausedAt;
  private long pauseNanos;

  /**
   * Admits every request, until told otherwise.
   *
   * @param breaker refuses requests while it is open
   * @param maxInFlight how many requests may be under way at the same time
   * @param pace how fast events from disk may be sent
   * @param time the clock
   */
  public Admission(CircuitBreaker breaker, int maxInFlight, Pace pace, TimeSource time) {
    this.breaker = breaker;
    this.pace = pace;
    this.slots = new Semaphore(maxInFlight, true);
    this.time = time;
  }

  /** The right to make one request; to be closed when it has ended. */
  final class Slot implements AutoCloseable {
    private final Permit permit;

    private Slot(Permit permit) {
      this.permit = permit;
    }

    void succeeded() {
      permit.succeeded();
    }

    void failed() {
      permit.failed();
    }

    @Override
    public void close() {
      permit.close();
      slots.release();
    }
  }

  /**
   * Admits a request, or refuses it. Waits only while as many requests as allowed are in flight.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  Optional<Slot> tryAcquire() throws InterruptedException {
    if (isRefusing()) {
      return Optional.empty();
    }
    slots.acquire();
    Optional<Permit> permit = pauseLeft().isZero() ? breaker.tryAcquire() : Optional.empty();
    if (permit.isEmpty()) {
      slots.release();
    }
    return permit.map(Slot::new);
  }

  /**
   * Admits a request with events from disk, or refuses it. Waits until their pace allows it, and
   * while as many requests as allowed are in flight. For the replay thread.
   *
   * @param events how many events it carries
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  Optional<Slot> tryAcquireFromDisk(int events) throws InterruptedException {
    if (isRefusing()) {
      return Optional.empty();
    }
    pace.beforeNext(events);
    return tryAcquire();
  }

  /** Lets no request wait for its pace any more. */
  void stopPacing() {
    pace.stop();
  }

  /** Leaves the API alone for as long as it asked for, at most an hour. */
  synchronized void pauseFor(Duration retryAfter) {
    Duration pause = retryAfter.compareTo(LONGEST_PAUSE) < 0 ? retryAfter : LONGEST_PAUSE;
    if (pause.compareTo(pauseLeft()) > 0) {
      pausedAt = time.nanoTime();
      pauseNanos = pause.toNanos();
    }
  }

  private synchronized Duration pauseLeft() {
    long left = pauseNanos == 0 ? 0 : pauseNanos - (time.nanoTime() - pausedAt);
    if (left <= 0) {
      pauseNanos = 0;
    }
    return Duration.ofNanos(Math.max(0, left));
  }

  /** Opens the breaker. */
  void trip() {
    breaker.trip();
  }

  /** What the breaker would do with a request now. */
  CircuitBreaker.State circuit() {
    return breaker.state();
  }

  /** Whether a request would be refused now. */
  boolean isRefusing() {
    return !rest().isZero();
  }

  /** Whether requests are refused only because of a {@code Retry-After} that is over soon. */
  boolean isPausedShortly() {
    Duration pause = pauseLeft();
    return !pause.isZero() && pause.compareTo(SHORT_PAUSE) <= 0 && breaker.rest().isZero();
  }

  /** How long a request would be refused. */
  Duration rest() {
    Duration pause = pauseLeft();
    Duration open = breaker.rest();
    return pause.compareTo(open) > 0 ? pause : open;
  }
}
