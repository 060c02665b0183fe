package eventlog.send;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import eventlog.EventLogEntry;
import eventlog.spi.Answer;
import eventlog.spi.EventLogClient;
import holdfast.breaker.CircuitBreaker;
import holdfast.log.LibraryLogger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The requests of all senders and of the replay, with one admission before them. Safe for use by
 * many threads.
 */
public final class Requests {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");

  /**
   * After this many requests that the API has refused for their content, without one that it has
   * accepted, it is taken to refuse everything. Halving a batch of half a million events to find
   * one takes as many.
   */
  private static final int MOST_REFUSED_IN_A_ROW = 20;

  private final EventLogClient client;
  private final Admission admission;
  private final LifecycleEvents events;
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicInteger refusedInARow = new AtomicInteger();
  private final AtomicBoolean saidOpen = new AtomicBoolean();
  private final AtomicBoolean saidBroken = new AtomicBoolean();

  /** Requests through a client, as far as they are admitted. */
  public Requests(EventLogClient client, Admission admission, LifecycleEvents events) {
    this.client = client;
    this.admission = admission;
    this.events = events;
  }

  /** What the breaker would do with a request now. */
  public CircuitBreaker.State circuit() {
    return admission.circuit();
  }

  /** Whether a request would be refused now. */
  public boolean isRefusing() {
    return admission.isRefusing();
  }

  /** Whether requests are refused only because of a {@code Retry-After} that is over soon. */
  boolean isPausedShortly() {
    return admission.isPausedShortly();
  }

  /** How long a request would be refused. */
  public Duration rest() {
    return admission.rest();
  }

  /**
   * Makes a request with live events, unless it is not admitted.
   *
   * @param batch the events
   * @param othersAccepted whether the API has accepted other events of the same batch: then a
   *     refusal says nothing about the API
   * @return the answer; null if the breaker is open, the API has asked to be left alone, or it
   *     refuses everything
   */
  @Nullable Answer send(List<EventLogEntry> batch, boolean othersAccepted) {
    return send(batch, admission::tryAcquire, new Weight(true, true, !othersAccepted));
  }

  /**
   * Makes a request with events from disk at their pace, unless it is not admitted. For the replay
   * thread.
   *
   * @param batch the events
   * @param othersAccepted as in {@link #send}
   * @return the answer; null if the breaker is open, or the API has asked to be left alone. What an
   *     API refuses that refuses everything is to be tried later
   */
  public @Nullable Answer sendFromDisk(List<EventLogEntry> batch, boolean othersAccepted) {
    return send(batch, fromDisk(batch), new Weight(false, true, !othersAccepted));
  }

  /**
   * Makes a request with events from disk that may make the API fail although it is up: its failure
   * does not count for the breaker.
   *
   * @param batch the events
   * @param othersAccepted whether the API has accepted other events since they failed: then a
   *     refusal does not count either
   * @return as {@link #sendFromDisk}
   */
  public @Nullable Answer sendSuspects(List<EventLogEntry> batch, boolean othersAccepted) {
    return send(batch, fromDisk(batch), new Weight(false, false, !othersAccepted));
  }

  private Acquiring fromDisk(List<EventLogEntry> batch) {
    return () -> admission.tryAcquireFromDisk(batch.size());
  }

  /** Lets no request wait for its pace any more. */
  public void stopPacing() {
    admission.stopPacing();
  }

  /** How many requests the API has accepted so far, at least in part. */
  public long accepted() {
    return accepted.get();
  }

  private interface Acquiring {
    Optional<Admission.Slot> run() throws InterruptedException;
  }

  /** Whose request it is, and what counts for the breaker. */
  private record Weight(boolean isLive, boolean failureCounts, boolean refusalCounts) {}

  private @Nullable Answer send(List<EventLogEntry> batch, Acquiring acquiring, Weight weight) {
    try {
      Optional<Admission.Slot> slot = acquiring.run();
      return slot.isEmpty() ? null : send(batch, slot.get(), weight);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.later("interrupted", null);
    }
  }

  private @Nullable Answer send(List<EventLogEntry> batch, Admission.Slot slot, Weight weight) {
    try (slot) {
      Answer answer = namedIfAlone(batch, ask(batch));
      switch (answer.kind()) {
        case LATER -> {
          if (weight.failureCounts) {
            slot.failed();
          }
          if (answer.retryAfter() != null) {
            admission.pauseFor(answer.retryAfter());
          }
          sayIfOpen(answer.problem());
        }
        case BROKEN -> {
          slot.failed();
          admission.trip(); // one is enough: nothing will change until somebody corrects it
          sayBroken(answer.problem());
        }
        case REJECTED -> {
          if (isRefusedLikeAll(weight)) {
            refusesAll(slot, answer.problem());
            return weight.isLive ? null : Answer.later(answer.problem(), null);
          }
          slot.succeeded();
          sayIfClosed();
        }
        case DELIVERED -> {
          if (answer.hasTakenSomeOf(batch.size())) {
            accepted.incrementAndGet();
            refusedInARow.set(0);
          }
          slot.succeeded();
          sayIfClosed();
        }
      }
      return answer;
    }
  }

  /** Of a request with one event it is known which one was refused. */
  private static Answer namedIfAlone(List<EventLogEntry> batch, Answer answer) {
    return batch.size() == 1 && answer.refused() > 0 ? Answer.rejected(answer.problem()) : answer;
  }

  private boolean isRefusedLikeAll(Weight weight) {
    return weight.refusalCounts && refusedInARow.incrementAndGet() >= MOST_REFUSED_IN_A_ROW;
  }

  /** The API is there, and it answers; but one that refuses everything is as good as down. */
  private void refusesAll(Admission.Slot slot, String problem) {
    slot.failed();
    admission.trip();
    if (saidOpen.compareAndSet(false, true)) {
      LOG.log(
          WARNING,
          "eventlog breaker open, the Event Log API has refused the last "
              + MOST_REFUSED_IN_A_ROW
              + " requests and accepted none; events are kept until it accepts one"
              + where(problem)
              + "; check that address and version of the API are right, and see the quarantine for"
              + " what it refused");
      events.circuitOpened(problem);
    }
  }

  private void sayBroken(String problem) {
    if (!saidBroken.getAndSet(true)) {
      LOG.log(
          WARNING,
          "eventlog destination broken, the Event Log API refuses all events; they are kept"
              + where(problem)
              + "; correct the API key or token (HTTP 401, 403, 407) or the address of the API");
    }
    if (!saidOpen.getAndSet(true)) {
      events.circuitOpened(problem);
    }
  }

  private String where(String problem) {
    return " address=" + client.address() + " problem=" + problem;
  }

  /** Once for each outage, however many probes it outlasts. */
  private void sayIfOpen(String problem) {
    if (admission.circuit() != CircuitBreaker.State.CLOSED && saidOpen.compareAndSet(false, true)) {
      LOG.log(
          WARNING,
          "eventlog breaker open, the Event Log API does not take events; they are kept until it"
              + " does"
              + where(problem)
              + "; check that the API works and that this machine can reach it");
      events.circuitOpened(problem);
    }
  }

  private void sayIfClosed() {
    if (saidOpen.get()
        && admission.circuit() == CircuitBreaker.State.CLOSED
        && saidOpen.compareAndSet(true, false)) {
      saidBroken.set(false);
      LOG.log(INFO, "eventlog breaker closed address=" + client.address());
      events.circuitClosed();
    }
  }

  private Answer ask(List<EventLogEntry> batch) {
    try {
      return client.send(batch);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Answer.later("interrupted", null);
    } catch (Exception e) {
      LOG.log(DEBUG, "eventlog request failed", e);
      return Answer.later(e.toString(), null);
    } catch (Error e) {
      // The client is the application's: whatever it throws, the events in hand are still ours.
      LOG.log(WARNING, "eventlog client failed", e);
      return Answer.later(e.toString(), null);
    }
  }
}
