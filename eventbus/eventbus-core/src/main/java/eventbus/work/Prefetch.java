package eventbus.work;

import java.time.Duration;

/**
 * How many events this node may hold in its queue: what its workers can handle in a moment, so that
 * slow handlers leave events to other nodes and fast ones are fed in large batches. Confined to the
 * claimer's thread.
 */
final class Prefetch {
  private static final long MOMENT = Duration.ofMillis(200).toNanos();
  private static final long FIRST_GUESS = Duration.ofMillis(5).toNanos();

  private final Counters counters;
  private final int workers;
  private final int most;
  private long handledBefore;
  private long nanosBefore;
  private long average = FIRST_GUESS;

  Prefetch(Counters counters, int workers, int batchSize) {
    this.counters = counters;
    this.workers = workers;
    this.most = Math.max(workers, 2 * batchSize);
  }

  /** From one event for each worker up to two batches. */
  int capacity() {
    long nanos = counters.handlingNanos.sum();
    long handled = counters.handled.sum();
    if (handled > handledBefore) {
      average = Math.max(1, (nanos - nanosBefore) / (handled - handledBefore));
      handledBefore = handled;
      nanosBefore = nanos;
    }
    return (int) Math.max(workers, Math.min(most, workers * (MOMENT / average)));
  }
}
