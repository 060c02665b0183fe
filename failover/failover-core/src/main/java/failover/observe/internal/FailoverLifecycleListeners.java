package failover.observe.internal;

import failover.FailoverOutcome.Kind;
import failover.FailoverSpec;
import failover.observe.FailoverLifecycleListener;
import holdfast.time.TimeSource;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Several listeners as one; what one of them throws does not reach the call. Safe for use by many
 * threads.
 */
public final class FailoverLifecycleListeners implements FailoverLifecycleListener {
  private final List<FailoverLifecycleListener> all;
  private final LongAdder dropped = new LongAdder();
  private final StateLog log;

  /** These listeners. */
  public FailoverLifecycleListeners(List<FailoverLifecycleListener> all, TimeSource time) {
    this.all = List.copyOf(all);
    this.log = new StateLog(time);
  }

  /** These, or {@link FailoverLifecycleListener#NONE} if there are none. */
  public FailoverLifecycleListener orNone() {
    return all.isEmpty() ? NONE : this;
  }

  @Override
  public void registered(FailoverSpec<?> spec) {
    tell(it -> it.registered(spec));
  }

  @Override
  public void upstream(FailoverSpec<?> spec, boolean answered, long nanos) {
    tell(it -> it.upstream(spec, answered, nanos));
  }

  @Override
  public void stored(FailoverSpec<?> spec, boolean kept, long nanos) {
    tell(it -> it.stored(spec, kept, nanos));
  }

  @Override
  public void recovered(
      FailoverSpec<?> spec,
      Throwable cause,
      boolean found,
      @Nullable Throwable trouble,
      long nanos) {
    tell(it -> it.recovered(spec, cause, found, trouble, nanos));
  }

  @Override
  public void recoveredPartially(FailoverSpec<?> spec, int missing, int total) {
    tell(it -> it.recoveredPartially(spec, missing, total));
  }

  @Override
  public void ended(FailoverSpec<?> spec, Kind kind, boolean gotValue) {
    tell(it -> it.ended(spec, kind, gotValue));
  }

  @Override
  public void writeFailed(String name, String operation, String why) {
    tell(it -> it.writeFailed(name, operation, why));
  }

  private void tell(Consumer<FailoverLifecycleListener> what) {
    for (FailoverLifecycleListener listener : all) {
      try {
        what.accept(listener);
      } catch (RuntimeException | Error e) {
        dropped.increment();
        log.trouble(() -> "failover listener fails listener=" + listener.getClass().getName(), e);
      }
    }
  }

  /** How often a listener threw. */
  public long dropped() {
    return dropped.sum();
  }
}
