package eventlog.send;

import eventlog.EventLogEntry;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * An event on its way through memory. Whoever wants to end this way must claim it first, so that a
 * request that returns late does not count what the shutdown has already put elsewhere.
 *
 * <p>Safe for use by many threads.
 */
public final class InFlightEvent extends AtomicBoolean {
  private static final long serialVersionUID = 1L;

  /*
   * The event as it was logged, or what became of it by redaction. One field, so that whoever reads
   * it sees either the one or the other, and knows which; one who still sees the first redacts it
   * once more from the start. It is not volatile: that would cost those who log.
   */
  private transient Object content;
  private final int attempts;
  private final int bytes;

  private record Redacted(EventLogEntry entry, boolean succeeded, @Nullable String problem) {}

  /** An event that was not tried yet, as it was logged. */
  public InFlightEvent(EventLogEntry entry) {
    this(entry, 0, entry.estimatedBytes());
  }

  private InFlightEvent(Object content, int attempts, int bytes) {
    this.content = content;
    this.attempts = attempts;
    this.bytes = bytes;
  }

  /** An event that needs no redaction any more. */
  static InFlightEvent redacted(EventLogEntry entry) {
    return new InFlightEvent(new Redacted(entry, true, null), 0, entry.estimatedBytes());
  }

  /** An event that the API has refused for good, and why; it needs no redaction any more. */
  public static InFlightEvent rejected(EventLogEntry entry, String problem) {
    return new InFlightEvent(new Redacted(entry, true, problem), 0, entry.estimatedBytes());
  }

  /** Why the API has refused it for good; null if it has not. */
  public @Nullable String problem() {
    return content instanceof Redacted redacted ? redacted.problem : null;
  }

  /** The event, as far as it was redacted. */
  public EventLogEntry entry() {
    Object seen = content;
    return seen instanceof Redacted redacted ? redacted.entry : (EventLogEntry) seen;
  }

  /** The event as it was logged; null if it was redacted since, be it in vain. */
  @Nullable EventLogEntry unredacted() {
    return content instanceof EventLogEntry logged ? logged : null;
  }

  /** Whether its redaction failed. */
  boolean isWithheld() {
    return content instanceof Redacted redacted && !redacted.succeeded;
  }

  /** Replaces the event by what its redaction made of it. */
  void replace(EventLogEntry entry, boolean succeeded) {
    content = new Redacted(entry, succeeded, null);
  }

  /** How many bytes it took when it was logged, which is what queues count it as. */
  int bytes() {
    return bytes;
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
  InFlightEvent afterFailure() {
    return new InFlightEvent(content, attempts + 1, bytes);
  }

  /** The same event, on its way anew. */
  InFlightEvent again() {
    return new InFlightEvent(content, attempts, bytes);
  }
}
