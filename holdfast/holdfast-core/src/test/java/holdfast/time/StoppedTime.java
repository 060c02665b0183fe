package holdfast.time;

import java.time.Duration;
import java.time.Instant;

/** A clock that moves only when told to; nobody can wait on it. */
public final class StoppedTime implements TimeSource {
  private volatile long nanos;

  /** Stands at the epoch. */
  public StoppedTime() {}

  /** Moves the clock on. */
  public synchronized void advance(Duration by) {
    nanos += by.toNanos();
  }

  @Override
  public Instant instant() {
    return Instant.EPOCH.plusNanos(nanos);
  }

  @Override
  public long nanoTime() {
    return nanos;
  }

  @Override
  public Alarm newAlarm() {
    throw new UnsupportedOperationException("nobody can wait on a stopped clock");
  }
}
