package holdfast.work;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many events may wait for a worker that is not free yet: as many as the workers handle in a
 * moment, by the time that handlers took of late, and none before that is known. Slow handlers so
 * leave events to other nodes, and fast ones are fed in large batches. Of what was handled before
 * the last look, half counts. {@link #handled} is safe for use by many threads, the rest is
 * confined to the claim loop.
 */
final class Prefetch {
  private static final long MOMENT = Duration.ofMillis(200).toNanos();

  private final LongAdder handled = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final int workers;
  private double events;
  private double totalNanos;

  Prefetch(int workers) {
    this.workers = workers;
  }

  /** Notes how long a handler took. */
  void handled(long tookNanos) {
    nanos.add(tookNanos);
    handled.increment();
  }

  /** Returns how many events may wait: two batches at most. */
  int events(int batchSize) {
    long handledSince = handled.sumThenReset();
    if (handledSince > 0) {
      events = events / 2 + handledSince;
      totalNanos = totalNanos / 2 + nanos.sumThenReset();
    }
    if (events == 0) {
      return 0;
    }
    double average = Math.max(1, totalNanos / events);
    return (int) Math.min(2.0 * batchSize, workers * MOMENT / average);
  }
}
