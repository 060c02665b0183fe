package holdfast.lifecycle;

import holdfast.time.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A call that may hang, on a thread of its own, so that the caller waits for its result only so
 * long. One call is under way at a time: while it hangs, other callers share it, and once it has
 * taken too long they are refused at once. Safe for use by many threads.
 *
 * @param <T> the result
 */
public final class BoundedCall<T> {
  private final ThreadFactory threads;
  private final Callable<T> call;
  private final Duration patience;
  private final TimeSource time;
  private @Nullable UnderWay<T> latest;

  /**
   * Creates a call that is not made yet.
   *
   * @param threads makes the thread of each call
   * @param call what to call
   * @param patience how long to wait for its result
   * @param time the clock
   */
  public BoundedCall(ThreadFactory threads, Callable<T> call, Duration patience, TimeSource time) {
    this.threads = threads;
    this.call = call;
    this.patience = patience;
    this.time = time;
  }

  private record UnderWay<T>(FutureTask<T> task, long startedAt) {}

  /**
   * Makes the call, or waits for the one that is under way.
   *
   * @return its result
   * @throws TimeoutException if there is no result in time; the call goes on
   * @throws InterruptedException if the calling thread is interrupted
   * @throws Exception what the call threw
   */
  public T get() throws Exception {
    UnderWay<T> current = current();
    long left = patience.toNanos() - (time.nanoTime() - current.startedAt());
    try {
      return current.task().get(Math.max(0, left), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      Duration waited = Duration.ofNanos(time.nanoTime() - current.startedAt());
      throw new TimeoutException("no answer for " + waited.truncatedTo(ChronoUnit.MILLIS));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e.getCause() instanceof Exception failure ? failure : e;
    }
  }

  private synchronized UnderWay<T> current() {
    UnderWay<T> known = latest;
    if (known == null || known.task().isDone()) {
      known = new UnderWay<>(new FutureTask<>(call), time.nanoTime());
      threads.newThread(known.task()).start();
      latest = known; // not before: a thread that cannot be started leaves no call behind
    }
    return known;
  }
}
