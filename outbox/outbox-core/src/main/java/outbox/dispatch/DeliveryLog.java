package outbox.dispatch;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

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
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.OutboxLifecycleListener;
import outbox.spi.MetricsExporter;

/**
 * Counts how deliveries end, logs it and calls the lifecycle listener. Safe for use by many
 * threads.
 */
final class DeliveryLog implements WorkListener<Delivery> {
  private static final System.Logger LOG = LibraryLogger.of("outbox");
  private static final int MAX_TYPES = 1_000;

  private final MetricsExporter metrics;
  private final OutboxLifecycleListener listener;
  private final ListenerCalls calls;
  private final FailureLog failures;
  private final Outage outage;
  private final LineLimit refusals;
  private final Set<String> unhandled = ConcurrentHashMap.newKeySet();
  private volatile Runnable onTaken = () -> {};

  DeliveryLog(MetricsExporter metrics, OutboxLifecycleListener listener, TimeSource time) {
    this.metrics = metrics;
    this.listener = listener;
    this.calls = new ListenerCalls("outbox", time);
    this.failures = new FailureLog("outbox", "listener", time);
    this.refusals = new LineLimit(time);
    this.outage =
        new Outage(
            "outbox",
            time,
            cause -> calls.run(() -> listener.onDatabaseLost(cause)),
            () -> calls.run(listener::onDatabaseBack));
  }

  /** The state of the database, for all threads of the node. */
  Outage outage() {
    return outage;
  }

  /** Returns the types for which this node has no listener, in alphabetical order. */
  Set<String> unhandled() {
    return new TreeSet<>(unhandled);
  }

  /** Sets what is called when a worker has taken an event out of the queue. */
  void onTaken(Runnable listener) {
    onTaken = listener;
  }

  @Override
  public void taken() {
    onTaken.run();
  }

  @Override
  public void handled(Delivery delivery, long nanos) {
    metrics.recordDispatchNanos(nanos);
  }

  @Override
  public void setAside(Delivery delivery) {
    released(delivery.event());
  }

  @Override
  public void recorded(Ended<Delivery> ended) {
    Delivery delivery = ended.item();
    EventEnvelope event = delivery.event();
    Outcome outcome = ended.outcome();
    if (outcome instanceof Outcome.Done) {
      metrics.incrementDispatchSuccess();
      if (!unhandled.isEmpty()) {
        unhandled.remove(event.eventType());
      }
      failures.worked(event.eventType());
      calls.run(() -> listener.onDelivered(event));
    } else if (outcome instanceof Outcome.Retry retry) {
      metrics.incrementDispatchFailure();
      retry(delivery, retry);
      calls.run(() -> listener.onRetry(event, retry.delay(), retry.error()));
    } else if (outcome instanceof Outcome.Dead dead) {
      failed(delivery, dead.cause());
      dead(event.eventId(), event.eventType(), attempts(delivery), dead.error());
    } else if (outcome instanceof Outcome.Unhandled release) {
      unhandled(event, release);
    } else {
      released(event);
    }
  }

  @Override
  public void watching() {
    failures.writeDue();
  }

  /** Neither a success nor a failure: the outcome that counts is that of the other node. */
  @Override
  public void stale(Delivery delivery) {
    metrics.incrementStaleOutcomes();
    long count = refusals.next();
    if (count > 0) {
      String id = labels(delivery.id(), delivery.type(), "");
      String events = count == 1 ? "" : " events=" + count;
      LOG.log(WARNING, "outbox outcome refused" + id + ": another node has the event" + events);
    }
  }

  private void retry(Delivery delivery, Outcome.Retry retry) {
    failed(delivery, retry.cause());
    if (LOG.isLoggable(DEBUG)) {
      String what = labels(delivery.id(), delivery.event().eventType(), attempts(delivery));
      Duration in = retry.delay().truncatedTo(ChronoUnit.MILLIS);
      String line = "outbox retry" + what + " in=" + in + error(retry.error());
      LOG.log(DEBUG, line, retry.cause());
    }
  }

  private void failed(Delivery delivery, @Nullable Throwable cause) {
    if (cause != null) {
      String details = " eventId=" + delivery.id() + attempts(delivery);
      failures.failed(delivery.event().eventType(), details, cause);
    }
  }

  private void unhandled(EventEnvelope event, Outcome.Unhandled release) {
    metrics.incrementReleased();
    metrics.incrementUnhandled();
    if (unhandled.size() < MAX_TYPES && unhandled.add(event.eventType())) {
      LOG.log(
          WARNING,
          "outbox has no listener on this node for type="
              + event.eventType()
              + ", so its events are released for "
              + release.delay()
              + " at a time; register a listener, or set the unhandled policy to done");
    }
    calls.run(() -> listener.onUnhandled(event));
  }

  private void released(EventEnvelope event) {
    metrics.incrementReleased();
    calls.run(() -> listener.onReleased(event));
  }

  /** Notes that an event is dead without having been delivered now. */
  void dead(String eventId, @Nullable String eventType, String error) {
    dead(eventId, eventType, "", error);
  }

  private void dead(String eventId, @Nullable String eventType, String attempts, String error) {
    metrics.incrementDispatchDead();
    LOG.log(ERROR, "outbox dead" + labels(eventId, eventType, attempts) + error(error));
    calls.run(() -> listener.onDead(eventId, eventType, error));
  }

  private static String labels(String eventId, @Nullable String eventType, String attempts) {
    String type = eventType == null ? "" : " type=" + eventType;
    return " eventId=" + eventId + type + attempts;
  }

  private static String attempts(Delivery delivery) {
    return " attempts=" + (delivery.failures() + 1);
  }

  private static String error(String error) {
    return " error=" + error;
  }
}
