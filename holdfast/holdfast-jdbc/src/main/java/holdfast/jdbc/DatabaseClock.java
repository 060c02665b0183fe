package holdfast.jdbc;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Durations as the database's clock takes them, with an offset that tests can set. Safe for use by
 * many threads if the offset is.
 */
public final class DatabaseClock {
  /** The database's clock as it is. */
  public static final DatabaseClock TRUE = new DatabaseClock(() -> Duration.ZERO);

  private final Supplier<Duration> offset;

  private DatabaseClock(Supplier<Duration> offset) {
    this.offset = offset;
  }

  /** The database's clock, moved by what the supplier says each time. */
  public static DatabaseClock offBy(Supplier<Duration> offset) {
    return new DatabaseClock(offset);
  }

  /**
   * Microseconds from the database's own time to the moment that lies so far from now, for {@link
   * Dialect#utcNowPlusMicros()}.
   */
  public long micros(Duration fromNow) {
    Duration total = offset.get().plus(fromNow);
    return total.toSeconds() * 1_000_000 + total.toNanosPart() / 1_000;
  }

  /** Microseconds from the database's own time to now: the offset. */
  public long now() {
    return micros(Duration.ZERO);
  }
}
