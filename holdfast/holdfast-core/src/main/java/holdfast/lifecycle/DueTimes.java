package holdfast.lifecycle;

import java.util.TreeSet;

/**
 * The moments at which work is known to become due, in readings of {@code nanoTime}; those close
 * together count as one. Safe for use by many threads.
 */
final class DueTimes {
  private static final long GRAIN = 10_000_000; // nanoseconds

  // Ordered by difference, since readings may run over the largest number.
  private final TreeSet<Long> moments = new TreeSet<>((a, b) -> Long.signum(a - b));

  /** Remembers a moment, unless one is remembered that comes soon after it. */
  synchronized void add(long moment) {
    Long next = moments.ceiling(moment);
    if (next == null || next - moment > GRAIN) {
      moments.add(moment);
    }
  }

  /** The earliest moment, or the one given if that is earlier. */
  synchronized long earliest(long latest) {
    return moments.isEmpty() || moments.first() - latest >= 0 ? latest : moments.first();
  }

  /** Forgets the moments that have passed; tells whether there were any. */
  synchronized boolean removeUntil(long now) {
    boolean any = false;
    while (!moments.isEmpty() && moments.first() - now <= 0) {
      moments.pollFirst();
      any = true;
    }
    return any;
  }
}
