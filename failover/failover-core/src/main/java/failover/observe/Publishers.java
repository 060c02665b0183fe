package failover.observe;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** All who are told events; what one of them throws goes no further. Safe for many threads. */
public final class Publishers {
  private final List<ObservablePublisher> all;
  private final LongAdder dropped = new LongAdder();

  /** These publishers. */
  public Publishers(List<ObservablePublisher> all) {
    this.all = List.copyOf(all);
  }

  /** Whether anybody listens; nothing need be measured otherwise. */
  public boolean areAny() {
    return !all.isEmpty();
  }

  /** Tells the event to all; does not make it if nobody listens. */
  public void publish(Supplier<Metrics> event) {
    if (all.isEmpty()) {
      return;
    }
    Metrics metrics = event.get();
    for (ObservablePublisher publisher : all) {
      try {
        publisher.publish(metrics);
      } catch (RuntimeException e) { // the call it belongs to must not notice
        dropped.increment();
      }
    }
  }

  /** How many events publishers did not take. */
  public long dropped() {
    return dropped.sum();
  }
}
