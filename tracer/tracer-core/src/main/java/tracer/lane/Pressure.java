package tracer.lane;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The two watermarks of a lane: pressure begins at the high one and ends at the low one, so a fill
 * that swings between them changes nothing. Safe for use by many threads.
 */
public final class Pressure {
  private final int high;
  private final int low;
  private final Runnable changed;
  private final AtomicBoolean isHigh = new AtomicBoolean();
  private final AtomicLong ups = new AtomicLong();
  private final AtomicLong downs = new AtomicLong();
  private final AtomicLong exhausted = new AtomicLong();
  private final AtomicInteger leastFree;

  Pressure(int high, int low, int rings, Runnable changed) {
    this.high = high;
    this.low = low;
    this.leastFree = new AtomicInteger(rings);
    this.changed = changed;
  }

  /** Takes note of the fill; true if that began or ended the pressure, and it must look again. */
  boolean update(int fill, int free) {
    if (free < leastFree.get()) {
      leastFree.accumulateAndGet(free, Math::min);
    }
    if (fill >= high && isHigh.compareAndSet(false, true)) {
      ups.incrementAndGet();
      changed.run();
      return true;
    }
    if (fill <= low && isHigh.compareAndSet(true, false)) {
      downs.incrementAndGet();
      changed.run();
      return true;
    }
    return false;
  }

  void exhausted() {
    exhausted.incrementAndGet();
  }

  /** Whether the high watermark was reached and the low one was not since. */
  public boolean isHigh() {
    return isHigh.get();
  }

  /** How often the high watermark was crossed upwards. */
  public long highCrossings() {
    return ups.get();
  }

  /** How often the low watermark was crossed downwards, after the high one. */
  public long lowCrossings() {
    return downs.get();
  }

  /** The fewest rings that were ever left in the pool. */
  public int leastFree() {
    return leastFree.get();
  }

  /** How often a writer found no ring in the pool. */
  public long exhaustedCount() {
    return exhausted.get();
  }
}
