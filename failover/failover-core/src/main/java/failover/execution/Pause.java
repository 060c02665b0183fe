package failover.execution;

import failover.execution.Ticket.Kind;
import holdfast.retry.Backoff;
import holdfast.time.TimeSource;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The pause of a whole point or of one key: its source is left alone, but for one call at a time
 * that tries it, and a few that have nothing stored. Somebody else decides when it begins. Safe for
 * use by many threads.
 */
final class Pause {
  /** How many calls with nothing stored may ask the source at once during a pause. */
  static final int DIRECT_CALLS = 8;

  /*
   * Fields are guarded by this object's lock, except that `normal`, `paused` and `until` are read
   * without it: neither while all is well nor during a pause does a call take a lock. Eras change
   * when a pause begins, ends or is prolonged, and with each probe. A failure counts if it is of
   * this era: the many that fail together begin one pause, and a probe that another has followed
   * was taken for a failure then. The success of a probe counts if it was sent after the last
   * failure that counted. The permits of one pause are not those of the next: a call that never
   * ends does not keep its permit for ever.
   */
  private final Backoff backoff;
  private final TimeSource time;
  private final Ticket refused = Ticket.of(Kind.REFUSED, this, 0);
  private volatile Ticket normal = Ticket.of(Kind.NORMAL, this, 0);
  private volatile boolean paused;
  private volatile long until;
  private volatile @Nullable Throwable lastFailure;
  private volatile Semaphore permits = new Semaphore(DIRECT_CALLS);
  private long era;
  private long failedEra;
  private int failures;
  private long length;
  private boolean probing;
  private long probingSince;

  Pause(Backoff backoff, TimeSource time) {
    this.backoff = backoff;
    this.time = time;
  }

  /** A ticket for a call, which may be refused. */
  Ticket enter() {
    if (!paused) {
      return normal;
    }
    long now = time.nanoTime();
    return now - until < 0 ? refused : enterPaused(now);
  }

  private synchronized Ticket enterPaused(long now) {
    if (!paused) {
      return normal;
    }
    // A probe that is never heard of again must not end all probing; it is taken for a failure.
    if (now - until < 0 || (probing && now - probingSince < length)) {
      return refused;
    }
    if (probing) {
      failures++;
      length = backoff.delay(failures).toNanos();
    }
    probing = true;
    probingSince = now;
    return Ticket.of(Kind.PROBE, this, ++era);
  }

  /**
   * A ticket for a refused call with nothing stored, for which the pause may be over by now; null
   * if enough of those are under way.
   */
  @Nullable Ticket enterDirectly() {
    if (!paused) {
      return normal;
    }
    Semaphore mine = permits;
    return mine.tryAcquire() ? Ticket.direct(this, mine) : null;
  }

  boolean isPaused() {
    return paused;
  }

  /** Whether a call with this ticket began since the last pause, and without one. */
  boolean isCurrent(Ticket ticket) {
    return !paused && ticket == normal;
  }

  /** The failure that the pause began with, or was prolonged by. */
  @Nullable Throwable lastFailure() {
    return lastFailure;
  }

  /** Begins a pause, unless there is one. */
  synchronized void begin(Throwable failure) {
    if (!paused) {
      permits = new Semaphore(DIRECT_CALLS);
      prolong(failure);
    }
  }

  /** The call that tried the source has failed. */
  synchronized void failed(Ticket probe, Throwable failure) {
    if (paused && probe.era() == era) {
      prolong(failure);
    }
  }

  private void prolong(Throwable failure) {
    failures++;
    length = backoff.delay(failures).toNanos();
    until = time.nanoTime() + length;
    lastFailure = failure;
    probing = false;
    failedEra = ++era;
    paused = true; // after the moment until which it lasts
  }

  /**
   * The call that tried the source was answered.
   *
   * @return whether that ends the pause
   */
  synchronized boolean succeeded(Ticket probe) {
    return probe.era() > failedEra && end();
  }

  /** Ends the pause; false if there was none. */
  synchronized boolean end() {
    if (!paused) {
      return false;
    }
    probing = false;
    failures = 0;
    lastFailure = null;
    normal = Ticket.of(Kind.NORMAL, this, ++era);
    paused = false;
    return true;
  }

  /** The source has answered a call of the pause: the next call may try it. */
  synchronized void shorten() {
    if (paused) {
      until = time.nanoTime();
    }
  }

  /** Takes back a call that says nothing about the source. */
  synchronized void withdrawn(Ticket ticket) {
    if (ticket.isProbe() && ticket.era() == era) {
      probing = false;
    }
  }
}
