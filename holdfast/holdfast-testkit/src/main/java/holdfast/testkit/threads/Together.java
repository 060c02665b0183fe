package holdfast.testkit.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/**
 * Runs the same work on several threads at once and fails as the first of them fails. Stateless.
 */
public final class Together {
  private static final int LIMIT_SECONDS = 120;

  /** What is done on each thread. */
  @FunctionalInterface
  public interface Work {

    /** Does it. */
    void run() throws Exception;
  }

  private Together() {}

  /** Does the work on so many threads; returns when all are done. */
  public static void runAll(int threads, Work work) throws Exception {
    callAll(
        threads,
        () -> {
          work.run();
          return true;
        });
  }

  /**
   * Asks the same on two threads, and does something when both wait; gives both answers.
   *
   * @throws AssertionError if one of them does not wait
   */
  public static <T> List<T> callBoth(Callable<T> call, Runnable whenBothWait) throws Exception {
    List<FutureTask<T>> calls = List.of(new FutureTask<>(call), new FutureTask<>(call));
    List<Thread> threads = calls.stream().map(Thread::new).toList();
    threads.forEach(Thread::start);
    Eventually.await(
        "both wait, or one is done",
        () ->
            threads.stream().allMatch(Together::waits) || calls.stream().anyMatch(Future::isDone));
    boolean bothWait = calls.stream().noneMatch(Future::isDone);
    whenBothWait.run();
    List<T> answers = new ArrayList<>();
    for (FutureTask<T> one : calls) {
      answers.add(one.get(LIMIT_SECONDS, TimeUnit.SECONDS));
    }
    if (!bothWait) {
      throw new AssertionError("one did not wait; both got " + answers);
    }
    return answers;
  }

  private static boolean waits(Thread thread) {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }

  /** Asks the same on so many threads; gives all answers. */
  public static <T> List<T> callAll(int threads, Callable<T> work) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        futures.add(executor.submit(work));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get(LIMIT_SECONDS, TimeUnit.SECONDS));
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }
}
