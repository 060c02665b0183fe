package failover.threads;

import static org.assertj.core.api.Assertions.assertThat;

import failover.threads.SharedThreads.Share;
import failover.threads.SharedThreads.Work;
import holdfast.testkit.threads.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedThreadsTest {
  private final Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
  private final SharedThreads threads = new SharedThreads(this::thread, 1);

  private Thread thread(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((it, failure) -> thrown.add(failure));
    return thread;
  }

  private record Task(Runnable action) implements Work {
    @Override
    public void run() {
      action.run();
    }

    @Override
    public void failed(Throwable why) {
      throw new AssertionError(why);
    }
  }

  @Test
  void whatThrowsAnErrorKeepsNoThreadFromTheOthers() throws InterruptedException {
    Share share = new Share();
    CountDownLatch mayFail = new CountDownLatch(1);
    AssertionError error = new AssertionError("of the work");
    threads.submit(
        share,
        new Task(
            () -> {
              try {
                mayFail.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              throw error;
            }));
    List<CountDownLatch> done = new ArrayList<>();
    for (Share of : List.of(share, new Share())) { // both wait for the only thread
      CountDownLatch mine = new CountDownLatch(1);
      done.add(mine);
      threads.submit(of, new Task(mine::countDown));
    }
    mayFail.countDown();
    for (CountDownLatch each : done) {
      assertThat(each.await(40, TimeUnit.SECONDS)).isTrue();
    }
    Eventually.await("the thread has ended with it", () -> !thrown.isEmpty());
    assertThat(thrown).containsExactly(error);
  }
}
