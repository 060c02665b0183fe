package outbox.dispatch;

import holdfast.time.TimeSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

/** Events in flight, in a map; entries can be made to grow stale. Safe for use by many threads. */
public final class DefaultInFlightTracker implements InFlightTracker {
  private static final long NEVER = 0;

  private final ConcurrentMap<String, Long> acquiredAt = new ConcurrentHashMap<>();
  private final long ttlNanos;
  private final TimeSource time;

  /** A tracker whose entries stay until they are released. */
  public DefaultInFlightTracker() {
    this(NEVER);
  }

  /**
   * A tracker whose entries can be taken over after a time.
   *
   * @param ttlMs milliseconds after which an entry is stale; 0 for never
   * @throws IllegalArgumentException if it is negative
   */
  public DefaultInFlightTracker(long ttlMs) {
    this(ttlMs, TimeSource.system());
  }

  /** The same on another clock. */
  public DefaultInFlightTracker(long ttlMs, TimeSource time) {
    if (ttlMs < 0) {
      throw new IllegalArgumentException("ttlMs must be 0 or more but was " + ttlMs);
    }
    this.ttlNanos = TimeUnit.MILLISECONDS.toNanos(ttlMs);
    this.time = time;
  }

  @Override
  public boolean tryAcquire(String eventId) {
    long now = time.nanoTime();
    Long before = acquiredAt.putIfAbsent(eventId, now);
    if (before == null) {
      return true;
    }
    boolean stale = ttlNanos != NEVER && now - before >= ttlNanos;
    return stale && acquiredAt.replace(eventId, before, now);
  }

  @Override
  public void release(String eventId) {
    acquiredAt.remove(eventId);
  }
}
