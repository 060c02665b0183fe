package tracer.spring.boot;

import holdfast.lifecycle.ListenerGroup;
import java.util.List;
import tracer.DropReason;
import tracer.Lane;
import tracer.TraceEvent;
import tracer.TracerLifecycleListener;

/**
 * The application's lifecycle listeners, one after the other, each called whatever the others
 * throw. Safe for use by many threads if they are.
 */
final class LifecycleListeners implements TracerLifecycleListener {
  private final ListenerGroup<TracerLifecycleListener> all;

  LifecycleListeners(List<TracerLifecycleListener> all) {
    this.all = new ListenerGroup<>(all);
  }

  @Override
  public void pressureRaised(Lane lane) {
    all.call(one -> one.pressureRaised(lane));
  }

  @Override
  public void pressureCleared(Lane lane) {
    all.call(one -> one.pressureCleared(lane));
  }

  @Override
  public void sinkFailed(Exception cause) {
    all.call(one -> one.sinkFailed(cause));
  }

  @Override
  public void sinkRecovered() {
    all.call(TracerLifecycleListener::sinkRecovered);
  }

  @Override
  public void criticalLost(TraceEvent event, DropReason reason) {
    all.call(one -> one.criticalLost(event, reason));
  }
}
