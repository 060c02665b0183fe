package failover.execution;

import static org.assertj.core.api.Assertions.assertThat;

import failover.Failovers;
import holdfast.testkit.threads.Together;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Callers that come together, each with a key of its own. Stateless. */
final class SlowestCaller {
  private SlowestCaller() {}

  /** How long the slowest of them waited; all of them are accounted for. */
  static Duration of(int callers, Failovers failovers, Consumer<List<Integer>> call)
      throws Exception {
    CyclicBarrier together = new CyclicBarrier(callers);
    AtomicInteger next = new AtomicInteger();
    Queue<Long> took = new ConcurrentLinkedQueue<>();
    Together.runAll(
        callers,
        () -> {
          List<Integer> key = List.of(next.getAndIncrement());
          together.await(100, TimeUnit.SECONDS);
          long began = System.nanoTime();
          call.accept(key);
          took.add(System.nanoTime() - began);
        });
    assertThat(failovers.ledger().accepted()).isEqualTo(callers);
    assertThat(failovers.ledger().unaccounted()).isZero();
    return Duration.ofNanos(took.stream().mapToLong(it -> it).max().orElseThrow());
  }
}
