package failover.execution;

import holdfast.lifecycle.Threads;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of calls that are limited in time, up to a number. Safe for use by many threads. */
final class Workers {
  private static final long IDLE_SECONDS = 60;

  private final ThreadPoolExecutor threads;
  private final ScheduledThreadPoolExecutor deadlines =
      new ScheduledThreadPoolExecutor(1, Threads.daemon("failover-deadline"));

  Workers(int most) {
    this.threads =
        new ThreadPoolExecutor(
            0,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Threads.daemon("failover-call"));
  }

  /** Refuses at once, by an exception, what no thread is free for. */
  Executor executor() {
    return threads;
  }

  /** Does something after a while, unless this is closed by then. */
  @SuppressWarnings("FutureReturnValueIgnored") // interrupting does not fail
  void after(Duration delay, Runnable action) {
    try {
      deadlines.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      action.run(); // closed meanwhile: nobody would do it later
    }
  }

  /** Takes no more, waits for those under way for that time, and interrupts what is left. */
  void close(Duration timeout) {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
    deadlines.shutdownNow();
  }
}
