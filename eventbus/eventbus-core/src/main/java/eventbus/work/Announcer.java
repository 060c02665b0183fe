package eventbus.work;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import eventbus.Event;
import eventbus.EventBusLifecycleListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Counts turning points, logs them and tells the listener, whatever it makes of them. Safe for use
 * by many threads.
 */
public final class Announcer {
  private static final System.Logger LOG = System.getLogger("eventbus");

  private final Counters counters;
  private final EventBusLifecycleListener listener;
  private final AtomicBoolean databaseLost = new AtomicBoolean();

  /** Tells that listener. */
  public Announcer(Counters counters, EventBusLifecycleListener listener) {
    this.counters = counters;
    this.listener = listener;
  }

  Counters counters() {
    return counters;
  }

  /** An event was acquired. */
  public void acquired(Event event) {
    counters.acquired.increment();
    if (event.claim().isSuspect()) {
      counters.lapsed.increment();
      LOG.log(WARNING, "eventbus acquired again, its worker was lost: " + event);
      tell(() -> listener.onLapsed(event));
    }
  }

  /** An event is in the log as COMPLETED. */
  public void completed(Event event, Duration handling) {
    counters.completed.increment();
    tell(() -> listener.onCompleted(event, handling));
  }

  /** An event is in the log as FAILED. */
  public void failed(long id, String type, String error) {
    counters.failed.increment();
    LOG.log(ERROR, "eventbus failed id=" + id + " type=" + type + " error=" + error);
    tell(() -> listener.onFailed(id, type, error));
  }

  void retried(Event event, Duration delay, String error) {
    counters.retried.increment();
    LOG.log(WARNING, "eventbus will retry {0} after {1}: {2}", event, delay, error);
    tell(() -> listener.onRetry(event, delay, error));
  }

  /** An event was given back unhandled. */
  public void givenBack() {
    counters.givenBack.increment();
  }

  /** A worker came too late. */
  public void stale(long id) {
    counters.stale.increment();
    LOG.log(WARNING, "eventbus refused id=" + id + ": its claim has passed to another worker");
    tell(() -> listener.onStale(id));
  }

  void databaseLost(Exception cause) {
    if (databaseLost.compareAndSet(false, true)) {
      LOG.log(ERROR, "eventbus cannot claim events, trying again", cause);
      tell(() -> listener.onDatabaseLost(cause));
    }
  }

  void databaseBack() {
    if (databaseLost.compareAndSet(true, false)) {
      LOG.log(INFO, "eventbus claims events again");
      tell(listener::onDatabaseBack);
    }
  }

  private static void tell(Runnable turningPoint) {
    try {
      turningPoint.run();
    } catch (RuntimeException | Error e) {
      // Also an error: what comes after it, letting go of the event, must not be left out.
      LOG.log(WARNING, "eventbus listener failed", e);
    }
  }
}
