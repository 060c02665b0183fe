package failover.execution;

import holdfast.lifecycle.Deadline;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Watches over a call that stays on the thread of its caller: does something when little of its
 * time is left, and interrupts the caller when nothing is. For use by the thread of the caller and
 * the one that keeps the time.
 */
final class CallerWatch {
  private final TimedCalls calls;
  private final Runnable whenLittleIsLeft;
  private final Deadline end;
  private final Thread caller = Thread.currentThread();
  private final boolean wasInterrupted = caller.isInterrupted();
  private @Nullable Future<?> next; // guarded by this, as the next two
  private boolean isOver;
  private boolean isInterrupted;

  private CallerWatch(TimedCalls calls, Runnable whenLittleIsLeft, Deadline end) {
    this.calls = calls;
    this.whenLittleIsLeft = whenLittleIsLeft;
    this.end = end;
  }

  /** Begins to watch over what this thread does next. */
  static CallerWatch begin(
      TimedCalls calls, Deadline littleLeft, Runnable whenLittleIsLeft, Deadline end) {
    CallerWatch watch = new CallerWatch(calls, whenLittleIsLeft, end);
    synchronized (watch) {
      watch.next = calls.after(littleLeft.remaining(), watch::littleIsLeft);
    }
    return watch;
  }

  private synchronized void littleIsLeft() {
    if (!isOver) {
      next = calls.after(end.remaining(), this::interrupt);
      whenLittleIsLeft.run();
    }
  }

  private synchronized void interrupt() {
    if (!isOver) {
      isInterrupted = true;
      caller.interrupt();
    }
  }

  /**
   * Ends the watch: nothing happens to the caller any more, and it is not left interrupted.
   *
   * @return whether it was interrupted because its time was over
   */
  boolean end() {
    synchronized (this) {
      isOver = true;
      if (next != null) {
        next.cancel(false);
      }
    }
    if (isInterrupted && Thread.interrupted() && wasInterrupted) {
      caller.interrupt();
    }
    return isInterrupted;
  }
}
