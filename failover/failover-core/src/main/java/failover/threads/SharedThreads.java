package failover.threads;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A number of threads that points share: a point may use three times as many as are still free, and
 * the last free one only if it has none. So one whose work hangs takes three quarters of them, two
 * take three sevenths each, and some are left for others. Work for which no thread is free waits,
 * and can be taken back. Safe for use by many threads.
 */
public final class SharedThreads {
  private static final long IDLE_SECONDS = 60;
  private static final int TIMES_THE_FREE_ONES = 3;

  /** Something to do on one of the threads. */
  public interface Work extends Runnable {
    /** It has a thread, which is about to begin, and cannot be taken back any more. Is quick. */
    default void taken() {}

    /** It cannot be done, because the JVM gives no thread. */
    void failed(Throwable why);
  }

  /** What one point uses of the threads. */
  public static final class Share {
    private final Set<Work> waiting = new LinkedHashSet<>(); // guarded by the threads' lock
    private int busy; // the same

    /** Nothing of them yet. */
    public Share() {}
  }

  private final int most;
  private final ThreadPoolExecutor threads;
  private final Set<Share> waiting = new LinkedHashSet<>(); // guarded by this, as is the next
  private int busy;

  /**
   * No threads yet.
   *
   * @param factory makes them
   * @param most how many there may be
   */
  public SharedThreads(ThreadFactory factory, int most) {
    this.most = most;
    // How many are at work is counted here; one that has just finished may not have ended yet.
    this.threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            factory);
  }

  /** Has something done as soon as a thread is free for its point. */
  public void submit(Share share, Work work) {
    synchronized (this) {
      share.waiting.add(work);
      waiting.add(share);
    }
    startWaiting();
  }

  private void startWaiting() {
    for (Task next = next(null); next != null; next = next(null)) {
      start(next);
    }
  }

  /** Takes back what has not begun; false if it has. */
  public synchronized boolean withdraw(Share share, Work work) {
    boolean withdrawn = share.waiting.remove(work);
    if (share.waiting.isEmpty()) {
      waiting.remove(share);
    }
    return withdrawn;
  }

  private void start(Task task) {
    try {
      threads.execute(task);
    } catch (RuntimeException | Error e) { // no thread to be had, of the JVM that is
      finished(task.share);
      task.work.failed(e);
    }
  }

  private synchronized void finished(Share share) {
    busy--;
    share.busy--;
  }

  /** The next work that may begin, in turns among the points; null if there is none. */
  private synchronized @Nullable Task next(@Nullable Share finished) {
    if (finished != null) {
      finished(finished);
    }
    for (Share share : waiting) {
      if (mayBegin(share)) {
        return begin(share);
      }
    }
    return null;
  }

  private boolean mayBegin(Share share) {
    int spare = most - busy - 1;
    return spare >= 0 && (share.busy == 0 || share.busy < TIMES_THE_FREE_ONES * spare);
  }

  private Task begin(Share share) {
    Iterator<Work> first = share.waiting.iterator();
    Work work = first.next();
    first.remove();
    waiting.remove(share);
    if (!share.waiting.isEmpty()) {
      waiting.add(share);
    }
    busy++;
    share.busy++;
    work.taken();
    return new Task(share, work);
  }

  /** Does one thing after the other, while there is something to do. */
  private final class Task implements Runnable {
    private final Share share;
    private final Work work;

    Task(Share share, Work work) {
      this.share = share;
      this.work = work;
    }

    @Override
    public void run() {
      for (Task task = this; task != null; task = next(task.share)) {
        task.workOff();
      }
    }

    /** What its work throws ends this thread, which then counts as free again. */
    private void workOff() {
      boolean hasEnded = false;
      try {
        startWaiting(); // more of it than this thread takes may be possible now
        work.run();
        hasEnded = true;
      } finally {
        if (!hasEnded) {
          finished(share);
          startWaiting();
        }
      }
    }
  }

  /** Lets idle threads end sooner; nothing much is to come. */
  public void close() {
    threads.setKeepAliveTime(1, TimeUnit.SECONDS);
  }
}
