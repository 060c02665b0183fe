package failover.observe;

import failover.FailoverOutcome.Kind;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** How about the last 200 calls ended. Safe for use by many threads. */
final class Window {
  private static final int SIZE = 200;

  private final AtomicReferenceArray<@Nullable Kind> ends = new AtomicReferenceArray<>(SIZE);

  // Threads that come at the same moment may overwrite each other: a share needs no exact count,
  // and
  // every call would pay for one.
  private int next;

  void add(Kind kind) {
    int at = next;
    next = at == SIZE - 1 ? 0 : at + 1;
    ends.lazySet(at, kind);
  }

  double share(Kind kind, double ifNone) {
    int all = 0;
    int matching = 0;
    for (int i = 0; i < SIZE; i++) {
      Kind end = ends.get(i);
      all += end == null ? 0 : 1;
      matching += end == kind ? 1 : 0;
    }
    return all == 0 ? ifNone : (double) matching / all;
  }
}
