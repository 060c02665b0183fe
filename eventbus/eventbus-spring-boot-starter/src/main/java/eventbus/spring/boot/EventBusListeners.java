package eventbus.spring.boot;

import eventbus.Event;
import eventbus.EventBusLifecycleListener;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The application's listeners, one after the other, each told whatever the others made of it. Safe
 * for use by many threads if they are.
 */
final class EventBusListeners implements EventBusLifecycleListener {
  private final List<EventBusLifecycleListener> all;

  EventBusListeners(List<EventBusLifecycleListener> all) {
    this.all = List.copyOf(all);
  }

  private void tell(Consumer<EventBusLifecycleListener> turningPoint) {
    RuntimeException first = null;
    for (EventBusLifecycleListener one : all) {
      first = firstOf(first, failure(one, turningPoint));
    }
    if (first != null) {
      throw first; // the bus logs it and goes on
    }
  }

  private static @Nullable RuntimeException failure(
      EventBusLifecycleListener one, Consumer<EventBusLifecycleListener> turningPoint) {
    try {
      turningPoint.accept(one);
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }

  @SuppressWarnings("ReferenceEquality") // an exception refuses to suppress its very self
  private static @Nullable RuntimeException firstOf(
      @Nullable RuntimeException first, @Nullable RuntimeException next) {
    if (first != null && next != null && first != next) {
      first.addSuppressed(next);
    }
    return first == null ? next : first;
  }

  @Override
  public void onCompleted(Event event, Duration handling) {
    tell(one -> one.onCompleted(event, handling));
  }

  @Override
  public void onRetry(Event event, Duration delay, String error) {
    tell(one -> one.onRetry(event, delay, error));
  }

  @Override
  public void onFailed(long id, String type, String error) {
    tell(one -> one.onFailed(id, type, error));
  }

  @Override
  public void onStale(long id) {
    tell(one -> one.onStale(id));
  }

  @Override
  public void onLapsed(Event event) {
    tell(one -> one.onLapsed(event));
  }

  @Override
  public void onDatabaseLost(Exception cause) {
    tell(one -> one.onDatabaseLost(cause));
  }

  @Override
  public void onDatabaseBack() {
    tell(EventBusLifecycleListener::onDatabaseBack);
  }
}
