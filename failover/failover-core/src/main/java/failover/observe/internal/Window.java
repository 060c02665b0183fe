package failover.observe.internal;

import failover.FailoverOutcome.Kind;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** How about the last 200 calls ended. Safe for use by many threads. */
final class Window {
  private static final int SIZE = 200;

  // Numbers of kinds, 0 for none: writing a reference would cost a call more, for the collector.
  private final AtomicIntegerArray ends = new AtomicIntegerArray(SIZE);

  // Threads that come at the same moment may overwrite each other: a share needs no exact count,
  // and every call would pay for one.
  private int next;

  void add(Kind kind) {
    int at = next;
    next = at == SIZE - 1 ? 0 : at + 1;
    ends.lazySet(at, numberOf(kind));
  }

  double share(Kind kind, double ifNone) {
    int all = 0;
    int matching = 0;
    for (int i = 0; i < SIZE; i++) {
      int end = ends.get(i);
      all += end == 0 ? 0 : 1;
      matching += end == numberOf(kind) ? 1 : 0;
    }
    return all == 0 ? ifNone : (double) matching / all;
  }

  private static int numberOf(Kind kind) {
    return switch (kind) {
      case LIVE -> 1;
      case RECOVERED -> 2;
      case FAILED -> 3;
    };
  }
}
