package outbox.spring.boot;

import holdfast.lifecycle.ListenerGroup;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.OutboxLifecycleListener;

/**
 * The application's lifecycle listeners, one after the other, each called whatever the others
 * throw. Safe for use by many threads if they are.
 */
final class LifecycleListeners implements OutboxLifecycleListener {
  private final ListenerGroup<OutboxLifecycleListener> all;

  LifecycleListeners(List<OutboxLifecycleListener> all) {
    this.all = new ListenerGroup<>(all);
  }

  @Override
  public void onDelivered(EventEnvelope event) {
    all.call(one -> one.onDelivered(event));
  }

  @Override
  public void onRetry(EventEnvelope event, Duration delay, String error) {
    all.call(one -> one.onRetry(event, delay, error));
  }

  @Override
  public void onDead(String eventId, @Nullable String eventType, String error) {
    all.call(one -> one.onDead(eventId, eventType, error));
  }

  @Override
  public void onReleased(EventEnvelope event) {
    all.call(one -> one.onReleased(event));
  }

  @Override
  public void onUnhandled(EventEnvelope event) {
    all.call(one -> one.onUnhandled(event));
  }

  @Override
  public void onDatabaseLost(Exception cause) {
    all.call(one -> one.onDatabaseLost(cause));
  }

  @Override
  public void onDatabaseBack() {
    all.call(OutboxLifecycleListener::onDatabaseBack);
  }
}
