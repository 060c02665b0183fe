package holdfast.testkit.time;

import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A time source that stands still until a test moves it. Safe for use by many threads.
 *
 * <p>A test that wants a sleeping thread to wake first makes sure that it sleeps:
 *
 * <pre>{@code
 * time.awaitSleepers(1);
 * time.advance(Duration.ofHours(1));
 * }</pre>
 */
public final class SettableTime implements TimeSource {

  /** The time of day at which a settable time starts unless told otherwise. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  // One lock for everything: whoever wakes a sleeper also takes it off the list, in the same step.
  // So a thread that was woken but has not run yet is not mistaken for one that sleeps.
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Sleep> sleeps = new ArrayList<>();
  private final Duration patience;
  private Instant instant;
  private long nanos;

  /** A time source that starts at {@link #START}. */
  public SettableTime() {
    this(START);
  }

  /** A time source that starts at a time of day of the test's choice. */
  public SettableTime(Instant start) {
    this(start, Duration.ofSeconds(10));
  }

  /** A time source whose {@link #awaitSleepers} waits so long, in real time. */
  SettableTime(Instant start, Duration patience) {
    this.instant = start;
    this.patience = patience;
  }

  @Override
  public Instant instant() {
    lock.lock();
    try {
      return instant;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long nanoTime() {
    lock.lock();
    try {
      return nanos;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Alarm newAlarm() {
    return new SettableAlarm();
  }

  /**
   * Lets time pass: moves the time of day and {@link #nanoTime()}, and ends the waits whose time
   * has come.
   *
   * @throws IllegalArgumentException if the duration is negative, or longer than a clock that
   *     counts nanoseconds can go; no time passes then
   */
  public void advance(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          "duration must not be negative but was "
              + duration
              + "; to set the time of day back, call setInstant");
    }
    lock.lock();
    try {
      move(duration);
      for (Sleep sleep : List.copyOf(sleeps)) {
        if (nanos - sleep.start >= sleep.length) {
          end(sleep, false);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private void move(Duration duration) {
    try {
      long nanosThen = Math.addExact(nanos, duration.toNanos());
      instant = instant.plus(duration);
      nanos = nanosThen;
    } catch (ArithmeticException | DateTimeException e) {
      throw new IllegalArgumentException(
          "duration must end within 292 years of the start but was "
              + duration
              + "; advance by less",
          e);
    }
  }

  /**
   * Sets the time of day, forward or back, as people and other machines do. No time passes: {@link
   * #nanoTime()} stays and nobody wakes.
   */
  public void setInstant(Instant instant) {
    lock.lock();
    try {
      this.instant = instant;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits, in real time, until at least so many threads wait on alarms of this time source.
   *
   * @throws AssertionError if they do not within ten seconds
   * @throws InterruptedException if the calling thread is interrupted
   */
  public void awaitSleepers(int count) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = patience.toNanos();
      while (sleeps.size() < count) {
        if (left <= 0) {
          throw new AssertionError(
              "at least %d threads must wait on alarms of this time source but %d did after %s"
                  .formatted(count, sleeps.size(), patience));
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private void end(Sleep sleep, boolean rang) {
    sleep.rang = rang;
    sleeps.remove(sleep);
    changed.signalAll();
  }

  /** One thread's wait on one alarm, from its start until it is ended. Guarded by the lock. */
  private static final class Sleep {
    final SettableAlarm alarm;
    final long start;
    final long length;

    /** Whether the alarm ended the wait, or time did; unknown while it lasts. */
    @Nullable Boolean rang;

    Sleep(SettableAlarm alarm, long start, long length) {
      this.alarm = alarm;
      this.start = start;
      this.length = length;
    }
  }

  private final class SettableAlarm implements Alarm {
    private boolean remembered;

    @Override
    public boolean await(Duration timeout) throws InterruptedException {
      lock.lockInterruptibly();
      try {
        if (remembered || timeout.isNegative() || timeout.isZero()) {
          boolean rang = remembered;
          remembered = false;
          return rang;
        }
        return sleep(new Sleep(this, nanos, TimeUnit.NANOSECONDS.convert(timeout)));
      } finally {
        lock.unlock();
      }
    }

    private boolean sleep(Sleep sleep) throws InterruptedException {
      sleeps.add(sleep);
      changed.signalAll();
      try {
        while (sleep.rang == null) {
          changed.await();
        }
        return sleep.rang;
      } catch (InterruptedException e) {
        sleeps.remove(sleep);
        // The ring that ended this wait has not been noticed by anybody: the next wait takes it.
        remembered |= Boolean.TRUE.equals(sleep.rang);
        throw e;
      }
    }

    @Override
    public void ring() {
      lock.lock();
      try {
        sleeps.stream()
            .filter(sleep -> sleep.alarm == this)
            .findFirst()
            .ifPresentOrElse(sleep -> end(sleep, true), () -> remembered = true);
      } finally {
        lock.unlock();
      }
    }
  }
}
