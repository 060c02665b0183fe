package failover.observe;

import holdfast.time.TimeSource;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** All who are told what happens. Safe for use by many threads. */
public final class FailoverLifecycleListeners {
  private final List<FailoverLifecycleListener> all;
  private final LongAdder dropped = new LongAdder();
  private final StateLog log;

  /** These listeners. */
  public FailoverLifecycleListeners(List<FailoverLifecycleListener> all, TimeSource time) {
    this.all = List.copyOf(all);
    this.log = new StateLog(time);
  }

  /** Whether anybody listens; nothing need be measured otherwise. */
  public boolean areAny() {
    return !all.isEmpty();
  }

  /** Tells all; what one of them throws does not reach the call. */
  public void tell(Consumer<FailoverLifecycleListener> what) {
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
