package outbox.dispatch;

import holdfast.time.TimeSource;
import holdfast.work.Outcome;
import holdfast.work.WorkHandler;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventListener;
import outbox.registry.ListenerRegistry;

/** Calls the listeners of an event, in order. Safe for use by many threads. */
final class Listeners implements WorkHandler<Delivery> {
  private final ListenerRegistry registry;
  private final UnhandledPolicy unhandled;
  private final TimeSource time;

  Listeners(ListenerRegistry registry, UnhandledPolicy unhandled, TimeSource time) {
    this.registry = registry;
    this.unhandled = unhandled;
    this.time = time;
  }

  @Override
  public Outcome handle(Delivery delivery) throws Exception {
    List<EventListener> listeners = registry.listenersFor(delivery.type());
    if (listeners.isEmpty()) {
      return withoutListener(delivery);
    }
    for (EventListener listener : listeners) {
      listener.onEvent(delivery.event());
    }
    return Outcome.DONE;
  }

  private Outcome withoutListener(Delivery delivery) {
    if (unhandled.done()) {
      return Outcome.DONE;
    }
    Duration waited = unhandledFor(delivery);
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

  /**
   * For how long no node has had a listener. The store's clock measures it, never this node's; a
   * store with the five plain methods does not remember it, so there the event's age is taken.
   */
  private @Nullable Duration unhandledFor(Delivery delivery) {
    return delivery.held() == null && delivery.failures() > 0
        ? Duration.between(delivery.event().occurredAt(), time.instant())
        : delivery.unhandledFor();
  }
}
