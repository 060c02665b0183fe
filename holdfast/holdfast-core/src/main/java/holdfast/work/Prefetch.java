package holdfast.work;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many events may wait for a worker that is not free yet: as many as the workers handle in a
 * moment, by the time that events kept them of late, and none before that is known. Slow handlers
 * so leave events to other nodes, and fast ones are fed in large batches. Of what was handled
 * before the last look, half counts. Only events that have ended are measured, so the caller says
 * how many workers do not hang. {@link #events} is confined to the claim loop, the rest is safe for
 * use by many threads.
 */
final class Prefetch {
  private static final long MOMENT = Duration.ofMillis(200).toNanos();

  /** About so many events say how long handlers took of late. */
  private static final int RECENT = 8;

  private final LongAdder handled = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final AtomicLong recentNanos = new AtomicLong(); // a lost update does no harm
  private double events;
  private double totalNanos;

  /** Notes for how long a worker was busy with so many events. */
  void handled(int count, long tookNanos) {
    nanos.add(tookNanos);
    handled.add(count);
    long each = Math.max(1, tookNanos / count);
    long before = recentNanos.get();
    recentNanos.set(before == 0 ? each : Math.max(1, before + (each - before) / RECENT));
  }

  /** Returns how many events so many workers handle in that time; no limit if that is unknown. */
  int eventsWithin(Duration duration, int workers) {
    long each = recentNanos.get();
    if (workers == 0) {
      return 0;
    }
    return each == 0
        ? Integer.MAX_VALUE
        : (int) Math.min(Integer.MAX_VALUE, (double) workers * duration.toNanos() / each);
  }

  /** Returns how many events may wait for so many workers: two batches at most. */
  int events(int batchSize, int workers) {
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
