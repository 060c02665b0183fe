package eventlog.spring;

import eventlog.EventLogLifecycleListener;
import holdfast.lifecycle.ListenerGroup;
import java.util.List;

/**
 * The application's lifecycle listeners, one after the other, each called whatever the others
 * throw. Safe for use by many threads if they are.
 */
final class LifecycleListeners implements EventLogLifecycleListener {
  private final ListenerGroup<EventLogLifecycleListener> all;

  LifecycleListeners(List<EventLogLifecycleListener> all) {
    this.all = new ListenerGroup<>(all);
  }

  @Override
  public void onSpillBegan() {
    all.call(EventLogLifecycleListener::onSpillBegan);
  }

  @Override
  public void onSpillEnded() {
    all.call(EventLogLifecycleListener::onSpillEnded);
  }

  @Override
  public void onReplayFinished(long events) {
    all.call(one -> one.onReplayFinished(events));
  }

  @Override
  public void onCircuitOpened(String problem) {
    all.call(one -> one.onCircuitOpened(problem));
  }

  @Override
  public void onCircuitClosed() {
    all.call(EventLogLifecycleListener::onCircuitClosed);
  }

  @Override
  public void onDiskFailing(Exception cause) {
    all.call(one -> one.onDiskFailing(cause));
  }

  @Override
  public void onDiskWorking() {
    all.call(EventLogLifecycleListener::onDiskWorking);
  }
}
