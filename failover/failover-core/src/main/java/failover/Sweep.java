package failover;

import failover.observe.StateLog;
import failover.store.FailoverStore;
import holdfast.lifecycle.Loop;
import holdfast.time.TimeSource;
import java.time.Duration;

/** Removes expired answers again and again. Confined to its loop. */
final class Sweep {
  private final FailoverStore store;
  private final Duration interval;
  private final TimeSource time;
  private final StateLog log = new StateLog();

  private Sweep(FailoverStore store, Duration interval, TimeSource time) {
    this.store = store;
    this.interval = interval;
    this.time = time;
  }

  static Loop of(FailoverStore store, Duration interval, TimeSource time) {
    Sweep sweep = new Sweep(store, interval, time);
    return new Loop("failover-sweep", interval, sweep::once, sweep::failed, time);
  }

  private Duration once() {
    store.sweep(time.instant(), interval);
    log.well(() -> "failover sweeps expired answers again");
    return interval;
  }

  private void failed(Exception e) {
    log.trouble(() -> "failover cannot sweep expired answers", e);
  }
}
