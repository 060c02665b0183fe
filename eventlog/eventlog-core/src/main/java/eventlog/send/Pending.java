package eventlog.send;

import eventlog.EventLogEntry;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An event on its way through memory. Whoever wants to end this way must claim it first, so that a
 * request that returns late does not count what the shutdown has already put elsewhere.
 *
 * <p>Safe for use by many threads.
 */
public final class Pending extends AtomicBoolean {
  private static final long serialVersionUID = 1L;

  private final transient EventLogEntry entry;
  private final int attempts;

  /** An event that was not tried yet. */
  public Pending(EventLogEntry entry) {
    this(entry, 0);
  }

  private Pending(EventLogEntry entry, int attempts) {
    this.entry = entry;
    this.attempts = attempts;
  }

  /** The event. */
  public EventLogEntry entry() {
    return entry;
  }

  /** How many requests for it have failed. */
  int attempts() {
    return attempts;
  }

  /** Whether the caller is the one that decides what becomes of it. */
  boolean claim() {
    return compareAndSet(false, true);
  }

  /** The same event, on its way anew after another failure. */
  Pending afterFailure() {
    return new Pending(entry, attempts + 1);
  }

  /** The same event, on its way anew. */
  Pending again() {
    return new Pending(entry, attempts);
  }
}
