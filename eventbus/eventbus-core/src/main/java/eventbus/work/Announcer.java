package eventbus.work;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import eventbus.Event;
import eventbus.EventBusLifecycleListener;
import holdfast.log.FailureLog;
import holdfast.log.LibraryLogger;
import holdfast.log.LineLimit;
import holdfast.log.ListenerCalls;
import holdfast.log.Outage;
import holdfast.time.TimeSource;
import holdfast.work.Ended;
import holdfast.work.Outcome;
import holdfast.work.WorkListener;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts lifecycle events, logs them and calls the listener, whatever it throws. Safe for use by
 * many threads.
 */
public final class Announcer implements WorkListener<ClaimedEvent> {
  private static final System.Logger LOG = LibraryLogger.of("eventbus");
  private static final int MAX_TYPES = 1_000;

  private final Counters counters;
  private final EventBusLifecycleListener listener;
  private final ListenerCalls calls;
  private final FailureLog failures;
  private final LineLimit lapses;
  private final LineLimit refusals;
  private final Outage outage;
  private final Set<String> unhandled = ConcurrentHashMap.newKeySet();

  /** Calls that listener. */
  public Announcer(Counters counters, EventBusLifecycleListener listener, TimeSource time) {
    this.counters = counters;
    this.listener = listener;
    this.calls = new ListenerCalls("eventbus", time);
    this.failures = new FailureLog("eventbus", "handler", time);
    this.lapses = new LineLimit(time);
    this.refusals = new LineLimit(time);
    this.outage =
        new Outage(
            "eventbus",
            time,
            cause -> calls.run(() -> listener.onDatabaseLost(cause)),
            () -> calls.run(listener::onDatabaseBack));
  }

  /** The state of the database, for all threads of the node. */
  public Outage outage() {
    return outage;
  }

  /** The node was started, and publishes only. */
  public void publishesOnly() {
    LOG.log(INFO, "eventbus started publishOnly=true, handlers are not called here");
  }

  Counters counters() {
    return counters;
  }

  /** An event was acquired. */
  public void acquired(Event event) {
    counters.acquired.increment();
    if (event.claim().isSuspect()) {
      counters.lapsed.increment();
      warn(lapses, "eventbus acquired again, its worker was lost: " + event);
      calls.run(() -> listener.onLapsed(event));
    }
  }

  /** An event is in the log as COMPLETED. */
  public void completed(Event event, Duration handling) {
    counters.completed.increment();
    failures.worked(event.type());
    calls.run(() -> listener.onCompleted(event, handling));
  }

  /** An event is in the log as FAILED. */
  public void failed(long id, String type, String error) {
    counters.failed.increment();
    String what = " type=" + type + " error=" + error;
    LOG.log(ERROR, "eventbus failed id=" + id + what);
    calls.run(() -> listener.onFailed(id, type, error));
  }

  @Override
  public void handled(ClaimedEvent item, long nanos) {
    counters.handled.increment();
    counters.handlingNanos.add(nanos);
  }

  @Override
  public void recorded(Ended<ClaimedEvent> ended) {
    Event event = ended.item().event();
    if (ended.outcome() instanceof Outcome.Done) {
      completed(event, Duration.ofNanos(ended.nanos()));
    } else if (ended.outcome() instanceof Outcome.Dead dead) {
      if (dead.cause() != null) {
        failures.failed(event.type(), details(event), dead.cause());
      }
      failed(event.id(), event.type(), dead.error());
    } else if (ended.outcome() instanceof Outcome.Retry retry) {
      retried(event, retry);
    } else {
      released();
    }
  }

  @Override
  public void watching() {
    failures.writeDue();
  }

  @Override
  public void stale(ClaimedEvent item) {
    stale(item.id());
  }

  private void retried(Event event, Outcome.Retry retry) {
    counters.retried.increment();
    Duration in = retry.delay().truncatedTo(ChronoUnit.MILLIS);
    failures.failed(event.type(), details(event) + " in=" + in, retry.cause());
    calls.run(() -> listener.onRetry(event, retry.delay(), retry.error()));
  }

  private static String details(Event event) {
    return " id=" + event.id() + " attempts=" + event.attempts();
  }

  /** An event was released unhandled. */
  public void released() {
    counters.released.increment();
  }

  /** A worker came too late. */
  public void stale(long id) {
    counters.stale.increment();
    warn(refusals, "eventbus refused id=" + id + ": its claim has passed to another worker");
    calls.run(() -> listener.onStale(id));
  }

  /** Warns once of each type that nobody handles here. */
  public void unhandled(Collection<String> types) {
    for (String type : types) {
      if (unhandled.size() < MAX_TYPES && unhandled.add(type)) {
        LOG.log(
            WARNING,
            "eventbus has no handler on this node for type="
                + type
                + ", so its events wait for another node; register a handler");
      }
    }
  }

  private static void warn(LineLimit limit, String line) {
    long count = limit.next();
    if (count > 0) {
      LOG.log(WARNING, count == 1 ? line : line + " events=" + count);
    }
  }
}
