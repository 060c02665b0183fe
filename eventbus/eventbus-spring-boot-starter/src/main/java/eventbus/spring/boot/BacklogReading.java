package eventbus.spring.boot;

import eventbus.Backlog;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The backlog, read again when it has become too old, since reading it counts rows. Safe for use by
 * many threads, one of which reads while the others wait for it.
 */
final class BacklogReading {
  private final Supplier<Backlog> backlog;
  private final Duration maxAge;
  private final TimeSource time;
  private @Nullable Backlog last;
  private long readAt;

  BacklogReading(Supplier<Backlog> backlog, Duration maxAge) {
    this(backlog, maxAge, TimeSource.system());
  }

  BacklogReading(Supplier<Backlog> backlog, Duration maxAge, TimeSource time) {
    this.backlog = backlog;
    this.maxAge = maxAge;
    this.time = time;
  }

  /**
   * The backlog as it was not long ago.
   *
   * @throws eventbus.EventBusException if it is too old and cannot be read
   */
  synchronized Backlog current() {
    Backlog known = last;
    if (known == null || time.nanoTime() - readAt >= maxAge.toNanos()) {
      known = backlog.get();
      last = known;
      readAt = time.nanoTime();
    }
    return known;
  }
}
