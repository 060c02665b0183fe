package eventlog.send;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import eventlog.EventLogEntry;
import eventlog.EventLossCallback;
import eventlog.LossReason;
import holdfast.ledger.Ledger;
import holdfast.ledger.LedgerSnapshot;
import holdfast.log.LibraryLogger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The delivery ledger of the event log, its counters, and the calls of the loss callback. Safe for
 * use by many threads.
 *
 * <p>It also knows which threads are at the logger's own work. What they log would make more work
 * of the same kind, without end; it is refused.
 */
public final class EventLogLedger {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");

  private final @Nullable EventLossCallback callback;
  private final Redactor redactor;
  private final LongSupplier queued;
  private final Map<Place, LongSupplier> places = new ConcurrentHashMap<>();
  private final Ledger ledger;
  private final LongAdder spilled = new LongAdder();
  private final LongAdder replayed = new LongAdder();
  private final Set<LossReason> saidLost = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean saidRefused = new AtomicBoolean();
  private final ThreadLocal<Boolean> ownWork = new ThreadLocal<>();

  /**
   * Creates a ledger with nothing in it.
   *
   * @param callback called for each lost event; may be absent
   * @param queued how many events have entered the main queue, which counts them itself: one
   *     counter less for those who log
   * @param redactor removes from an event what the callback must not see
   */
  public EventLogLedger(
      @Nullable EventLossCallback callback, LongSupplier queued, Redactor redactor) {
    this.callback = callback;
    this.redactor = redactor;
    this.queued = queued;
    Ledger.Builder builder = Ledger.builder("eventlog").reasons(List.of(LossReason.values()));
    for (Place place : Place.values()) {
      builder.held(place.word(), () -> places.getOrDefault(place, () -> 0).getAsLong());
    }
    this.ledger = builder.build();
  }

  /** Sets how the events in a place are counted; replaces what was set before. */
  public void count(Place place, LongSupplier size) {
    places.put(place, size);
  }

  /** Marks the current thread as one of the logger's own, for good. */
  public void enterOwnWork() {
    ownWork.set(true);
  }

  /** Whether the current thread is at the logger's own work. */
  public boolean atOwnWork() {
    return ownWork.get() != null;
  }

  /** Notes an event that came in but does not enter the main queue. */
  public void acceptedElsewhere() {
    ledger.accepted(1);
  }

  /** Notes events that an earlier process had left on disk. */
  public void recoveredAtStartup(long count) {
    ledger.recoveredAtStartup(count);
  }

  /** Notes events that the API has answered for. */
  public void delivered(long count) {
    ledger.delivered(count);
  }

  /** Notes events that were written to disk. */
  public void spilled(long count) {
    spilled.add(count);
  }

  /** Notes events from disk that the API has answered for. */
  public void replayed(long count) {
    replayed.add(count);
    ledger.delivered(count);
  }

  /** Counts events whose move from one place to another begins; {@link #moved} must follow. */
  public void moving(long count) {
    ledger.moving(count);
  }

  /** Counts events whose move has ended. */
  public void moved(long count) {
    ledger.moved(count);
  }

  /** Notes the loss of events that nobody has at hand any more. */
  public void lost(LossReason reason, long count) {
    ledger.lost(reason, count);
  }

  /** Notes events that the API has refused for good without saying which ones. */
  public void refused(long count, String problem) {
    if (count == 0) {
      return;
    }
    ledger.lost(LossReason.REJECTED_BY_API, count);
    if (saidRefused.compareAndSet(false, true)) {
      LOG.log(
          WARNING,
          "eventlog lost events, the API has refused some of a request and does not say which;"
              + " later ones are only counted, as rejected_by_api count="
              + count
              + " problem="
              + problem
              + "; correct what the problem names, or set batchSize to 1 so that each refused event"
              + " is kept in quarantine");
    }
  }

  /** Notes the loss of an event that is redacted, and tells the callback. */
  public void lost(EventLogEntry entry, LossReason reason) {
    lost(InFlightEvent.redacted(entry), reason);
  }

  /** Notes the loss of an event, and tells the callback what may be seen of it. */
  public void lost(InFlightEvent event, LossReason reason) {
    ledger.lost(reason, 1);
    if (saidLost.add(reason)) { // once: there may be millions, and the ledger counts them
      LOG.log(
          WARNING,
          "eventlog lost an event, the first for this reason="
              + reason.code()
              + "; "
              + reason.fix());
    }
    EventLossCallback told = callback;
    if (told == null || reason == LossReason.LOGGED_BY_LOGGER) {
      return; // the second may come from the callback itself
    }
    boolean before = atOwnWork();
    ownWork.set(true);
    try {
      redactor.redact(event);
      told.onEventLoss(event.entry(), reason.code());
    } catch (RuntimeException e) {
      LOG.log(WARNING, callbackFailed(reason), e);
    } catch (Error e) {
      // An application's assertion or a missing class must not reach who merely logs an event.
      LOG.log(ERROR, callbackFailed(reason), e);
    } finally {
      if (!before) {
        ownWork.remove();
      }
    }
  }

  private static String callbackFailed(LossReason reason) {
    return "eventlog callback failed, the loss is in the ledger all the same reason="
        + reason.code()
        + "; correct the eventLossCallback, it must not throw";
  }

  /** What events go through before anybody sees them. */
  public Redactor redactor() {
    return redactor;
  }

  /** How many events were written to disk. */
  public long spilledCount() {
    return spilled.sum();
  }

  /** How many events from disk the API has answered for. */
  public long replayedCount() {
    return replayed.sum();
  }

  /** Returns the ledger at this moment. */
  public LedgerSnapshot snapshot() {
    LedgerSnapshot seen = ledger.snapshot();
    return new LedgerSnapshot(
        seen.library(),
        seen.accepted() + queued.getAsLong(), // read last: what was seen to leave has entered
        seen.recoveredAtStartup(),
        seen.delivered(),
        seen.lostByReason(),
        seen.heldByPlace(),
        seen.inTransit());
  }
}
