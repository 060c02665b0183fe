package eventbus.spring.boot;

import eventbus.Event;
import eventbus.EventBusLifecycleListener;
import holdfast.lifecycle.ListenerGroup;
import java.time.Duration;
import java.util.List;

/**
 * The application's listeners, one after the other, each told whatever the others made of it. Safe
 * for use by many threads if they are.
 */
final class EventBusListeners implements EventBusLifecycleListener {
  private final ListenerGroup<EventBusLifecycleListener> all;

  EventBusListeners(List<EventBusLifecycleListener> all) {
    this.all = new ListenerGroup<>(all);
  }

  @Override
  public void onCompleted(Event event, Duration handling) {
    all.call(one -> one.onCompleted(event, handling));
  }

  @Override
  public void onRetry(Event event, Duration delay, String error) {
    all.call(one -> one.onRetry(event, delay, error));
  }

  @Override
  public void onFailed(long id, String type, String error) {
    all.call(one -> one.onFailed(id, type, error));
  }

  @Override
  public void onStale(long id) {
    all.call(one -> one.onStale(id));
  }

  @Override
  public void onLapsed(Event event) {
    all.call(one -> one.onLapsed(event));
  }

  @Override
  public void onDatabaseLost(Exception cause) {
    all.call(one -> one.onDatabaseLost(cause));
  }

  @Override
  public void onDatabaseBack() {
    all.call(EventBusLifecycleListener::onDatabaseBack);
  }
}
