package tracer.drain;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long the sink took for its batches, as percentiles. Sixteen steps to each power of two, so a
 * percentile is at most 7 % too high. Written by the drain, safe to be read by many threads.
 */
public final class EncoderLatency {
  private static final int STEP_BITS = 4;
  private static final int STEPS = 1 << STEP_BITS;

  private final AtomicLongArray counts = new AtomicLongArray((Long.SIZE - STEP_BITS) * STEPS);

  /** Nothing was measured. */
  public EncoderLatency() {}

  void add(long nanos) {
    counts.lazySet(bucket(nanos), counts.get(bucket(nanos)) + 1);
  }

  /**
   * The time within which so many of a hundred batches were written.
   *
   * @return nanoseconds, 0 if nothing was written
   */
  public long percentile(double percent) {
    long[] seen = new long[counts.length()];
    long total = 0;
    for (int i = 0; i < seen.length; i++) {
      seen[i] = counts.get(i);
      total += seen[i];
    }
    long wanted = (long) Math.ceil(total * percent / 100);
    for (int i = 0; i < seen.length && total > 0; i++) {
      wanted -= seen[i];
      if (wanted <= 0) {
        return highest(i);
      }
    }
    return 0;
  }

  private static int bucket(long nanos) {
    long value = Math.max(0, nanos);
    if (value < STEPS) {
      return (int) value;
    }
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
    return (power - STEP_BITS + 1) * STEPS + (int) (value >>> (power - STEP_BITS)) - STEPS;
  }

  private static long highest(int bucket) {
    if (bucket < STEPS) {
      return bucket;
    }
    int power = bucket / STEPS + STEP_BITS - 1;
    long step = bucket % STEPS;
    return ((STEPS + step + 1) << (power - STEP_BITS)) - 1;
  }
}
