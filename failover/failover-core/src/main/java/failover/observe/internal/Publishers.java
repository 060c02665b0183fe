package failover.observe.internal;

import failover.observe.ObservablePublisher;
import failover.observe.ObservablePublisher.Metrics;
import holdfast.time.TimeSource;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Several publishers as one; what one of them throws goes no further. Safe for many threads. */
public final class Publishers implements ObservablePublisher {
  private final List<ObservablePublisher> all;
  private final LongAdder dropped = new LongAdder();
  private final StateLog log;

  /** These publishers. */
  public Publishers(List<ObservablePublisher> all, TimeSource time) {
    this.all = List.copyOf(all);
    this.log = new StateLog(time);
  }

  /** Tells the event to all. */
  @Override
  public void publish(Metrics metrics) {
    for (ObservablePublisher publisher : all) {
      try {
        publisher.publish(metrics);
      } catch (RuntimeException | Error e) { // the call it belongs to must not notice
        dropped.increment();
        log.trouble(
            () -> "failover publisher fails publisher=" + publisher.getClass().getName(), e);
      }
    }
  }

  /** How many events publishers did not take. */
  public long dropped() {
    return dropped.sum();
  }
}
