package tracer.tool;

import java.util.Arrays;

/**
 * How often which duration was measured, in classes that are no wider than a thousandth of it.
 * Memory does not grow with their number. Confined to one call.
 */
final class Durations {
  private static final int CLASS_BITS = 10;
  private static final int CLASSES = 1 << CLASS_BITS;

  private long[] counts = new long[CLASSES];
  private long count;
  private long sum;
  private long most;

  void add(long nanos) {
    long measured = Math.max(0, nanos);
    int at = place(measured);
    if (at >= counts.length) {
      counts = Arrays.copyOf(counts, at + CLASSES);
    }
    counts[at]++;
    count++;
    sum += measured;
    most = Math.max(most, measured);
  }

  /** Exact up to 2,047, then 1,024 classes for each power of two. */
  private static int place(long nanos) {
    int shift = Math.max(0, Long.SIZE - CLASS_BITS - 1 - Long.numberOfLeadingZeros(nanos | 1));
    return shift * CLASSES + (int) (nanos >>> shift);
  }

  private static long longest(int place) {
    int shift = Math.max(0, place / CLASSES - 1);
    long within = place - (long) shift * CLASSES;
    return ((within + 1) << shift) - 1;
  }

  long count() {
    return count;
  }

  long sum() {
    return sum;
  }

  long most() {
    return most;
  }

  /** The duration that so many of a hundred do not exceed. */
  long percentile(int percent) {
    long rank = Math.max(1, (count * percent + 99) / 100);
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= rank) {
        return Math.min(most, longest(i));
      }
    }
    return most;
  }
}
