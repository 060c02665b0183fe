package outbox.dispatch;

import holdfast.time.TimeSource;
import holdfast.work.Outcome;
import holdfast.work.WorkHandler;
import holdfast.work.WorkSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import outbox.AsyncEventListener;
import outbox.BatchEventListener;
import outbox.EventEnvelope;
import outbox.EventListener;
import outbox.registry.ListenerRegistry;

/** Calls the listeners of an event, in order. Safe for use by many threads. */
final class Listeners implements WorkHandler<Delivery> {
  private final ListenerRegistry registry;
  private final Map<String, Integer> concurrency;
  private final UnhandledPolicy unhandled;
  private final Runnable afterEach;
  private final TimeSource time;

  Listeners(
      ListenerRegistry registry,
      Map<String, Integer> concurrency,
      UnhandledPolicy unhandled,
      Runnable afterEach,
      TimeSource time) {
    this.registry = registry;
    this.concurrency = Map.copyOf(concurrency);
    this.unhandled = unhandled;
    this.afterEach = afterEach;
    this.time = time;
  }

  @Override
  public Outcome handle(Delivery delivery) throws Exception {
    List<EventListener> listeners = registry.listenersFor(delivery.type());
    if (listeners.isEmpty()) {
      return withoutListener(delivery);
    }
    if (only(listeners) instanceof AsyncEventListener async) {
      return new Outcome.Pending(checked(() -> async.onEventAsync(delivery.event())));
    }
    for (EventListener listener : listeners) {
      checked(
          () -> {
            listener.onEvent(delivery.event());
            return Outcome.DONE;
          });
    }
    return Outcome.DONE;
  }

  private <V> V checked(Callable<V> call) throws Exception {
    V value;
    try {
      value = call.call();
    } catch (Throwable failure) {
      try {
        afterEach.run();
      } catch (RuntimeException e) {
        failure.addSuppressed(e);
      }
      throw failure;
    }
    afterEach.run();
    return value;
  }

  private static @Nullable EventListener only(List<EventListener> listeners) {
    return listeners.size() == 1 ? listeners.get(0) : null;
  }

  @Override
  public boolean handles(String type) {
    return !registry.listenersFor(type).isEmpty();
  }

  @Override
  public int batchSize(String type) {
    EventListener only = only(registry.listenersFor(type));
    return only instanceof BatchEventListener batches ? batches.maxBatchSize() : 1;
  }

  @Override
  public Map<Delivery, Throwable> handleAll(List<Delivery> deliveries) throws Exception {
    EventListener only = only(registry.listenersFor(deliveries.get(0).type()));
    if (!(only instanceof BatchEventListener batches)) {
      throw new IllegalStateException("the listeners have just changed"); // tried again
    }
    List<EventEnvelope> events = deliveries.stream().map(Delivery::event).toList();
    return WorkHandler.failuresOf(deliveries, checked(() -> batches.onEvents(events)));
  }

  /** Returns how many events of a type may be in progress: as set, or by its listener. */
  int concurrency(String type) {
    Integer limit = concurrency.get(type);
    if (limit != null) {
      return limit;
    }
    try {
      return only(registry.listenersFor(type)) instanceof AsyncEventListener
          ? WorkSettings.ASYNC_CONCURRENCY
          : Integer.MAX_VALUE;
    } catch (RuntimeException e) {
      return Integer.MAX_VALUE; // the delivery itself will fail, and say so
    }
  }

  private Outcome withoutListener(Delivery delivery) {
    if (unhandled.done()) {
      return Outcome.DONE;
    }
    Duration waited = delivery.unhandledFor(time.instant());
    if (waited != null && waited.compareTo(unhandled.deadAfter()) >= 0) {
      return new Outcome.Dead(
          "no listener for type '"
              + delivery.type()
              + "' on any node for "
              + waited
              + "; register one and redeliver the event",
          null);
    }
    return new Outcome.Unhandled(unhandled.delay());
  }
}
