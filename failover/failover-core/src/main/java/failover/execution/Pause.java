package failover.execution;

import failover.FailoverSpec;
import holdfast.retry.Backoff;
import holdfast.time.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * Leaves a source alone after it has failed, but for one call at a time that tries it. Safe for use
 * by many threads.
 */
final class Pause {
  /** The ticket of a call that is not to be made. */
  static final long REFUSED = -1;

  /*
   * Fields are guarded by this object's lock, except that `paused` and `until` are read without it:
   * neither while all is well nor during a pause does a call take a lock. A ticket is the era in
   * which it was given, doubled, plus 1 for a probe; eras change when a pause begins, ends or is
   * prolonged, and with each probe. A failure counts if it is of this era: the many that fail
   * together begin one pause, and a probe that another has followed was taken for a failure then.
   * The success of a probe counts if it was sent after the last failure that counted.
   */
  private final @Nullable Backoff backoff;
  private final TimeSource time;
  private volatile boolean paused;
  private volatile long era;
  private long failedEra;
  private volatile @Nullable Throwable lastFailure;
  private int failures;
  private volatile long until;
  private long length;
  private boolean probing;
  private long probingSince;

  Pause(FailoverSpec<?> spec, boolean pauses, TimeSource time) {
    this.backoff =
        pauses && !spec.pause().isZero()
            ? Backoff.exponential(spec.pause(), spec.longestPause())
            : null;
    this.time = time;
  }

  /** A ticket for a call, or {@link #REFUSED}. */
  long enter() {
    if (!paused) {
      return 2 * era;
    }
    long now = time.nanoTime();
    return now - until < 0 ? REFUSED : enterPaused(now);
  }

  private synchronized long enterPaused(long now) {
    if (!paused) {
      return 2 * era;
    }
    // A probe that is never heard of again must not end all probing; it is taken for a failure.
    if (now - until < 0 || (probing && now - probingSince < length)) {
      return REFUSED;
    }
    if (probing && backoff != null) {
      failures++;
      length = backoff.delay(failures).toNanos();
    }
    probing = true;
    probingSince = now;
    return 2 * ++era + 1;
  }

  /** The failure that the pause began with, or was prolonged by. */
  @Nullable Throwable lastFailure() {
    return lastFailure;
  }

  void succeeded(long ticket) {
    if (isProbe(ticket)) {
      resume(ticket);
    }
  }

  private synchronized void resume(long ticket) {
    if (paused && ticket / 2 > failedEra) {
      paused = false;
      probing = false;
      failures = 0;
      lastFailure = null;
      era++;
    }
  }

  void failed(long ticket, Throwable failure) {
    if (backoff != null) {
      begin(ticket, failure, backoff);
    }
  }

  private synchronized void begin(long ticket, Throwable failure, Backoff delays) {
    if (ticket / 2 != era) {
      return;
    }
    failures++;
    length = delays.delay(failures).toNanos();
    until = time.nanoTime() + length;
    lastFailure = failure;
    probing = false;
    failedEra = ++era;
    paused = true; // after the moment until which it lasts
  }

  /** Takes back a call that says nothing about the source. */
  synchronized void withdrawn(long ticket) {
    if (isProbe(ticket) && ticket / 2 == era) {
      probing = false;
    }
  }

  /** Whether the call that has this ticket tries a source that has failed before. */
  static boolean isProbe(long ticket) {
    return (ticket & 1) == 1;
  }
}
