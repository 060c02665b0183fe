package holdfast.time;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The one place time comes from: what time it is, how much has passed, and how to wait.
 *
 * <p>Every library takes a time source instead of asking the system, so that tests decide when an
 * hour has gone by. Safe for use by many threads.
 */
public interface TimeSource extends InstantSource {

  /** The time of day, which people and other machines may set forward or back. */
  @Override
  Instant instant();

  /**
   * A reading in nanoseconds that only ever goes forward; the difference of two readings is the
   * time between them, whatever is done to the time of day.
   */
  long nanoTime();

  /** A new alarm, not rung, on which one thread can wait for time to pass or to be woken before. */
  Alarm newAlarm();

  /** The clock of this machine. */
  static TimeSource system() {
    return SystemTime.INSTANCE;
  }
}
