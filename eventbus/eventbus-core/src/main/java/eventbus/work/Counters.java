package eventbus.work;

import eventbus.Counts;
import java.util.concurrent.atomic.LongAdder;

/** Counts what this node does. Safe for use by many threads. */
public final class Counters {
  final LongAdder acquired = new LongAdder();
  final LongAdder completed = new LongAdder();
  final LongAdder failed = new LongAdder();
  final LongAdder retried = new LongAdder();
  final LongAdder released = new LongAdder();
  final LongAdder stale = new LongAdder();
  final LongAdder lapsed = new LongAdder();
  final LongAdder handled = new LongAdder();
  final LongAdder handlingNanos = new LongAdder();
  private final LongAdder published = new LongAdder();

  /** Counters at zero. */
  public Counters() {}

  /** Notes what was published. */
  public void published(int events) {
    published.add(events);
  }

  /** All counts, each as it stands when it is read. */
  public Counts counts() {
    return new Counts(
        published.sum(),
        acquired.sum(),
        completed.sum(),
        failed.sum(),
        retried.sum(),
        released.sum(),
        stale.sum(),
        lapsed.sum(),
        handled.sum(),
        handlingNanos.sum());
  }
}
