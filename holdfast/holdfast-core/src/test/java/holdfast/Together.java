package holdfast;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs a task on several threads that start at the same moment. */
public final class Together {
  /** A task that knows the number of its thread, from 0. */
  public interface Task {
    void run(int thread) throws Exception;
  }

  private Together() {}

  /** Returns when all threads are done; throws what any of them threw. */
  public static void run(int threads, Task task) throws Exception {
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        runs.add(
            executor.submit(
                () -> {
                  start.await();
                  task.run(thread);
                  return null;
                }));
      }
      for (Future<?> run : runs) {
        run.get();
      }
    } finally {
      executor.shutdownNow();
    }
  }
}
