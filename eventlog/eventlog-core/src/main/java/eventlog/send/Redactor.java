package eventlog.send;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import eventlog.EventLogEntry;
import eventlog.spi.Redaction;
import holdfast.log.LibraryLogger;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Has each event redacted once, by whoever is the first to look into it: a sender, the spill
 * thread, or the one who tells of its loss. Never throws. Safe for use by many threads.
 */
public final class Redactor {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");
  private static final String WITHHELD = "[withheld: the redaction failed]";

  private final @Nullable Redaction redaction;
  private final AtomicBoolean warned = new AtomicBoolean();

  /** One that applies the redaction; null for none. */
  public Redactor(@Nullable Redaction redaction) {
    this.redaction = redaction;
  }

  /** One that shows events as they are. */
  public static Redactor none() {
    return new Redactor(null);
  }

  /**
   * Has an event redacted, unless it was already.
   *
   * @return false if that failed; then its entry is what may be seen of it all the same
   */
  public boolean redact(InFlightEvent event) {
    if (redaction == null) {
      return true;
    }
    EventLogEntry logged = event.unredacted();
    if (logged != null) {
      EventLogEntry redacted = redact(logged);
      event.replace(redacted == null ? withheld(logged) : redacted, redacted != null);
    }
    return !event.isWithheld();
  }

  /**
   * Has an event redacted.
   *
   * @return what may be seen of it; null if that failed
   */
  public @Nullable EventLogEntry redact(EventLogEntry event) {
    Redaction applied = redaction;
    if (applied == null) {
      return event;
    }
    try {
      EventLogEntry redacted = applied.redact(event);
      if (redacted == null) {
        warn(event, "it returned null");
        return null;
      }
      return withKeyOf(event, redacted);
    } catch (Throwable e) {
      // Whatever it is, an event that nobody cleaned must not go on. Messages may quote it.
      warn(event, e.getClass().getName());
      return null;
    }
  }

  /** With another key the API would store the event again each time it comes from disk. */
  private static EventLogEntry withKeyOf(EventLogEntry event, EventLogEntry redacted) {
    String key = event.idempotencyKey();
    return redacted.idempotencyKey().equals(key)
        ? redacted
        : redacted.toBuilder().idempotencyKey(key).build();
  }

  /** Once in full view; a redaction that fails for one event may fail for millions. */
  private void warn(EventLogEntry event, String problem) {
    LOG.log(
        warned.compareAndSet(false, true) ? WARNING : DEBUG,
        "eventlog redaction failed event=" + event.idempotencyKey() + " problem=" + problem);
  }

  /** What tells the event from others, and nothing that an application may have to hide. */
  private static EventLogEntry withheld(EventLogEntry event) {
    return EventLogEntry.builder()
        .correlationId(WITHHELD)
        .traceId(event.traceId())
        .spanId(event.spanId())
        .applicationId(event.applicationId())
        .targetSystem(event.targetSystem())
        .originatingSystem(event.originatingSystem())
        .processName(event.processName())
        .stepSequence(event.stepSequence())
        .stepName(event.stepName())
        .eventType(event.eventType())
        .eventStatus(event.eventStatus())
        .eventTimestamp(event.eventTimestamp())
        .executionTimeMs(event.executionTimeMs())
        .httpStatusCode(event.httpStatusCode())
        .summary(WITHHELD)
        .result(WITHHELD)
        .idempotencyKey(event.idempotencyKey())
        .build();
  }
}
