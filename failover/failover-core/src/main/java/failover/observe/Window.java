package failover.observe;

import failover.FailoverOutcome.Kind;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** How the last 200 calls ended. Safe for use by many threads. */
final class Window {
  private static final int SIZE = 200;

  private final AtomicReferenceArray<@Nullable Kind> ends = new AtomicReferenceArray<>(SIZE);
  private final AtomicLong next = new AtomicLong();

  void add(Kind kind) {
    ends.set((int) (next.getAndIncrement() % SIZE), kind);
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
