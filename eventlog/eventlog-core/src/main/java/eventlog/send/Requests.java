package eventlog.send;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import eventlog.EventLogEntry;
import eventlog.spi.Answer;
import eventlog.spi.EventLogClient;
import holdfast.breaker.CircuitBreaker;
import holdfast.breaker.CircuitBreaker.Permit;
import holdfast.log.LibraryLogger;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The requests of all senders and of the replay, with one breaker before them. Safe for use by many
 * threads.
 */
public final class Requests {
  private static final System.Logger LOG = LibraryLogger.of("eventlog");

  private final EventLogClient client;
  private final CircuitBreaker breaker;
  private final LifecycleEvents events;
  private final AtomicBoolean saidOpen = new AtomicBoolean();
  private final AtomicBoolean saidBroken = new AtomicBoolean();

  /** Requests through a client, kept away by a breaker. */
  public Requests(EventLogClient client, CircuitBreaker breaker, LifecycleEvents events) {
    this.client = client;
    this.breaker = breaker;
    this.events = events;
  }

  /** What the breaker would do with a request now. */
  public CircuitBreaker.State circuit() {
    return breaker.state();
  }

  /** Whether a request would be refused now. */
  public boolean isRefusing() {
    return !rest().isZero();
  }

  /** How long a request would be refused. */
  Duration rest() {
    return breaker.rest();
  }

  /**
   * Makes a request, unless the breaker refuses it.
   *
   * @return the answer; null if the breaker is open
   */
  public @Nullable Answer send(List<EventLogEntry> batch) {
    Optional<Permit> permit = breaker.tryAcquire();
    if (permit.isEmpty()) {
      return null;
    }
    try (Permit request = permit.get()) {
      Answer answer = ask(batch);
      switch (answer.kind()) {
        case LATER -> {
          request.failed();
          sayIfOpen(answer.problem());
        }
        case BROKEN -> {
          request.failed();
          breaker.trip(); // one is enough: nothing will change until somebody mends it
          sayBroken(answer.problem());
        }
        case DELIVERED, REJECTED -> { // it is there, and it answers
          request.succeeded();
          sayIfClosed();
        }
      }
      return answer;
    }
  }

  private void sayBroken(String problem) {
    if (!saidBroken.getAndSet(true)) {
      LOG.log(WARNING, "eventlog destination broken problem=" + problem);
    }
    if (!saidOpen.getAndSet(true)) {
      events.circuitOpened(problem);
    }
  }

  /** Once for each outage, however many probes it outlasts. */
  private void sayIfOpen(String problem) {
    if (breaker.state() != CircuitBreaker.State.CLOSED && saidOpen.compareAndSet(false, true)) {
      LOG.log(WARNING, "eventlog breaker open problem=" + problem);
      events.circuitOpened(problem);
    }
  }

  private void sayIfClosed() {
    if (saidOpen.get()
        && breaker.state() == CircuitBreaker.State.CLOSED
        && saidOpen.compareAndSet(true, false)) {
      saidBroken.set(false);
      LOG.log(INFO, "eventlog breaker closed");
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
