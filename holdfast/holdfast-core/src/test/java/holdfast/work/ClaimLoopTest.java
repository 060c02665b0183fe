package holdfast.work;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClaimLoopTest {
  private static final int WORKERS = 2;
  private static final int EVENTS = 100_000;

  private final WorkQueue<TestItem> queue = new WorkQueue<>(1, 100, type -> Integer.MAX_VALUE);
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final AtomicLong handled = new AtomicLong();

  /** The polls race with workers that take and finish what was claimed. */
  @Test
  void neverClaimsMoreThanWorkersAreFreeForBeforeHandlersAreMeasured() throws Exception {
    ClaimLoop loop =
        new ClaimLoop(
            new ClaimLoop.Settings(
                "claims", "claim", Duration.ofMinutes(1), polls -> Duration.ZERO, () -> true, 10),
            this::claim,
            () -> WORKERS,
            new Prefetch(WORKERS),
            queue,
            new InFlight<>(1_000, (item, current) -> {}),
            Nodes.ALONE,
            new Outage("test", TimeSource.system()),
            TimeSource.system());
    Thread[] workers = new Thread[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
      workers[i] = new Thread(this::work);
      workers[i].start();
    }
    while (handled.get() < EVENTS) {
      loop.poll();
    }
    queue.stop();
    for (Thread worker : workers) {
      worker.join();
    }
    assertThat(most).hasValue(WORKERS);
  }

  private ClaimLoop.Claimed claim(int limit, long bytes) {
    most.accumulateAndGet(held.addAndGet(limit), Math::max);
    for (int i = 0; i < limit; i++) {
      queue.offerClaimed(TestItem.of("an item"));
    }
    return new ClaimLoop.Claimed(limit, true, Duration.ZERO);
  }

  private void work() {
    try {
      for (TestItem next = queue.take(); next != null; next = queue.take()) {
        held.decrementAndGet();
        handled.incrementAndGet();
        queue.finished(next, 1, true);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
