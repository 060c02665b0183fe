package benchmarks.failover;

import benchmarks.failover.Shop.Price;
import failover.FailoverResult;
import failover.FailoverSpec;
import failover.Failovers;
import failover.caffeine.CaffeineFailoverStore;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A hundred callers of a source that takes two seconds to fail, each a hundred times a second, from
 * when its point pauses. For one thread.
 */
final class Outage {
  private static final int CALLERS = 100;
  private static final long BETWEEN = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long QUICK = TimeUnit.MILLISECONDS.toNanos(5);
  private static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(2);
  private static final List<String> ARGS = List.of("sku-1");

  private final Duration length;
  private final AtomicInteger asked = new AtomicInteger();

  Outage(Duration length) {
    this.length = length;
  }

  /** The table. */
  String run() throws InterruptedException {
    StringBuilder table = new StringBuilder();
    table.append(
        "| point | calls | p50 ms | p99 ms | p99.9 ms | most ms | 5 ms or more | tries |\n");
    table.append("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    FailoverSpec<Price> soft =
        FailoverSpec.builder("soft", Price.class).softTimeout(Duration.ofMillis(500)).build();
    FailoverSpec<Price> plain = FailoverSpec.builder("plain", Price.class).build();
    table.append(measured("with a soft timeout of 500 ms", soft));
    table.append(measured("without timeouts", plain));
    return table.toString();
  }

  private Price dead() throws SocketTimeoutException {
    asked.incrementAndGet();
    LockSupport.parkNanos(CLIENT_TIMEOUT.toNanos());
    throw new SocketTimeoutException("no answer");
  }

  private String measured(String name, FailoverSpec<Price> spec) throws InterruptedException {
    try (Failovers failovers = Failovers.builder(new CaffeineFailoverStore()).build()) {
      failovers.call(spec, ARGS, () -> new Price("sku-1", 100));
      awaitPause(failovers, spec);
      asked.set(0);
      long[] nanos = callAll(failovers, spec);
      Arrays.sort(nanos);
      return "| %s | %d | %.3f | %.3f | %.3f | %.3f | %d | %d |%n"
          .formatted(
              name,
              nanos.length,
              part(nanos, 0.5),
              part(nanos, 0.99),
              part(nanos, 0.999),
              part(nanos, 1),
              Arrays.stream(nanos).filter(took -> took >= QUICK).count(),
              asked.get());
    }
  }

  private void awaitPause(Failovers failovers, FailoverSpec<Price> spec) {
    while (failovers.counts().values().stream().allMatch(counts -> counts.paused() == 0)) {
      call(failovers, spec);
    }
  }

  private long[] callAll(Failovers failovers, FailoverSpec<Price> spec)
      throws InterruptedException {
    int calls = (int) (length.toNanos() / BETWEEN);
    long[] nanos = new long[CALLERS * calls];
    List<Thread> threads = new ArrayList<>();
    for (int caller = 0; caller < CALLERS; caller++) {
      int first = caller * calls;
      long offset = BETWEEN * caller / CALLERS;
      Thread thread =
          new Thread(
              () -> {
                LockSupport.parkNanos(offset);
                for (int i = 0; i < calls; i++) {
                  long began = System.nanoTime();
                  call(failovers, spec);
                  nanos[first + i] = System.nanoTime() - began;
                  LockSupport.parkNanos(BETWEEN - nanos[first + i]);
                }
              });
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return nanos;
  }

  private void call(Failovers failovers, FailoverSpec<Price> spec) {
    try {
      FailoverResult<Price> result = failovers.callForResult(spec, ARGS, this::dead);
      if (result.upToDate()) {
        throw new IllegalStateException("a dead source has answered");
      }
    } catch (SocketTimeoutException e) {
      throw new IllegalStateException("the stored answer was not given", e);
    }
  }

  private static double part(long[] sorted, double part) {
    return sorted[(int) Math.min(sorted.length - 1, sorted.length * part)] / 1e6;
  }
}
