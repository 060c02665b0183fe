package holdfast.lifecycle;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes something once. The first caller does the work; others wait for it and get its report.
 * Safe for use by many threads.
 */
public final class Closing {
  /** What a caller gets that could not wait until the end: the closing itself still runs. */
  private static final CloseReport UNFINISHED = new CloseReport(0, 1, 0);

  private final AtomicReference<@Nullable Thread> closer = new AtomicReference<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile CloseReport report = UNFINISHED;

  /** Nothing is closed yet. */
  public Closing() {}

  /**
   * Does the work if no other call has begun it; otherwise waits until that call has ended. A call
   * from inside the work does not wait for itself.
   *
   * @param patience how long to wait for another call at most
   * @param work closes everything, within its own time limit
   * @return what was left behind; {@code stillRunning} is 1 if the other call has not ended in time
   */
  public CloseReport close(Deadline patience, Supplier<CloseReport> work) {
    Thread current = Thread.currentThread();
    if (closer.compareAndSet(null, current)) {
      try {
        report = work.get();
      } finally {
        ended.countDown();
      }
    } else if (!current.equals(closer.get())) {
      patience.awaitUninterruptibly(ended);
    }
    return report;
  }

  /** Returns whether a call has begun to close. */
  public boolean isClosing() {
    return closer.get() != null;
  }

  /** Returns whether everything is closed. */
  public boolean isClosed() {
    return ended.getCount() == 0;
  }
}
