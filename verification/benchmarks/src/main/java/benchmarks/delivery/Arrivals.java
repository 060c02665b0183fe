package benchmarks.delivery;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** When events ended, in order. Safe for use by many threads. */
final class Arrivals {
  private static final long PATIENCE = 300;

  private final long[] at;
  private final AtomicInteger count = new AtomicInteger();
  private final CountDownLatch all;

  Arrivals(int events) {
    this.at = new long[events];
    this.all = new CountDownLatch(events);
  }

  /** Works for a time, then notes an event. */
  void workFor(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(end - System.nanoTime());
    }
    note();
  }

  /** Notes an event; repeats beyond the expected number are not noted. */
  void note() {
    int place = count.getAndIncrement();
    if (place < at.length) {
      at[place] = System.nanoTime();
      all.countDown();
    }
  }

  int count() {
    return count.get();
  }

  void await() throws InterruptedException {
    if (!all.await(PATIENCE, TimeUnit.SECONDS)) {
      throw new IllegalStateException("only " + count + " of " + at.length + " events ended");
    }
  }

  /** Events in a second between two places in the order, as parts of all. */
  double rate(double from, double to) {
    int first = (int) (from * (at.length - 1));
    int last = (int) (to * (at.length - 1));
    return (last - first) * 1e9 / (at[last] - at[first]);
  }

  /** Seconds from the first event to the last. */
  double seconds() {
    return (at[at.length - 1] - at[0]) / 1e9;
  }
}
