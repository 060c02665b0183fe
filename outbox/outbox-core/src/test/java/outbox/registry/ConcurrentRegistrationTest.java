package outbox.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Many threads may register and ask at once. */
class ConcurrentRegistrationTest {

  @Test
  void nothingRegisteredByManyThreadsIsLost() throws Exception {
    int threads = 8;
    int each = 500;
    DefaultListenerRegistry registry = new DefaultListenerRegistry();
    CountDownLatch together = new CountDownLatch(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Integer>> tasks = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        tasks.add(
            () -> {
              together.countDown();
              together.await();
              int seen = 0;
              for (int i = 0; i < each; i++) {
                registry.register("T", event -> {}).registerAll(event -> {});
                int now = registry.listenersFor("T").size();
                assertThat(now).isGreaterThan(seen);
                seen = now;
              }
              return seen;
            });
      }
      for (Future<Integer> done : pool.invokeAll(tasks)) {
        done.get();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(registry.listenersFor("T")).hasSize(2 * threads * each);
    assertThat(registry.listenersFor("other")).hasSize(threads * each);
  }
}
