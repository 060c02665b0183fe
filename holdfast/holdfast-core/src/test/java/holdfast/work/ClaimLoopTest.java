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
            () -> WORKERS,
            new Prefetch(),
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

  @Test
  void whileNoWorkerIsAboutToBeFreeNothingIsClaimed() throws Exception {
    WorkQueue<TestItem> busy = new WorkQueue<>(10, 100, type -> Integer.MAX_VALUE);
    AtomicInteger prompt = new AtomicInteger(1);
    AtomicInteger claims = new AtomicInteger();
    Prefetch prefetch = new Prefetch();
    prefetch.handled(1, Duration.ofMillis(10).toNanos());
    ClaimLoop loop =
        new ClaimLoop(
            new ClaimLoop.Settings(
                "claims", "claim", Duration.ofMinutes(1), polls -> Duration.ZERO, () -> true, 10),
            (limit, bytes, below) -> {
              claims.addAndGet(limit);
              return new ClaimLoop.Claimed(0, false, Duration.ZERO);
            },
            () -> 1,
            prompt::get,
            prefetch,
            busy,
            new InFlight<>(1_000, (item, current) -> {}),
            Nodes.ALONE,
            new Outage("test", TimeSource.system()),
            TimeSource.system());
    busy.offerCommitted(TestItem.of("runs"));
    busy.offerCommitted(TestItem.of("waits"));
    TestItem runs = busy.take();
    loop.poll();
    assertThat(claims.getAndSet(0)).as("ahead").isEqualTo(10);
    prompt.set(0);
    loop.poll();
    assertThat(claims).as("not even in turn with published ones").hasValue(0);
    busy.finished(runs, 1, true);
    prompt.set(1);
    loop.poll();
    assertThat(claims).hasValue(10);
  }

  private ClaimLoop.Claimed claim(int limit, long bytes, int below) {
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
