package failover.recovery.internal;

import failover.store.FailoverStore;
import failover.store.FailoverStoreException;
import failover.store.ReferentialPayload;
import failover.threads.SharedThreads;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Threads;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes answers, for which callers wait only so long. A store in memory and one with a queue are
 * written by the caller itself; others on threads of their own, since they may hang. Safe for use
 * by many threads.
 */
final class StoreWrites {
  /** Threads for writes, of which one share of work uses three quarters at most: 48. */
  static final int THREADS = 64;

  private final FailoverStore store;
  private final UnaryOperator<Runnable> context;
  private final TimeSource time;
  private final SharedThreads threads =
      new SharedThreads(Threads.daemon("failover-write"), THREADS);
  private final SharedThreads.Share share = new SharedThreads.Share();

  StoreWrites(FailoverStore store, UnaryOperator<Runnable> context, TimeSource time) {
    this.store = store;
    this.context = context;
    this.time = time;
  }

  /**
   * Writes an answer.
   *
   * @param patience how long to wait for it
   * @throws FailoverStoreException if the time is over; a write that has begun goes on
   */
  void write(ReferentialPayload answer, Duration patience) {
    if (isWrittenHere()) {
      store.store(answer);
    } else {
      elsewhere(() -> store.store(answer), patience);
    }
  }

  /** Writes several answers at once, in the same way. */
  void writeAll(List<ReferentialPayload> answers, Duration patience) {
    if (isWrittenHere()) {
      store.storeAll(answers);
    } else {
      elsewhere(() -> store.storeAll(answers), patience);
    }
  }

  private boolean isWrittenHere() {
    return store.isInProcess() || store.isAsynchronous();
  }

  private void elsewhere(Runnable task, Duration patience) {
    Write write = new Write(context, task);
    threads.submit(share, write);
    if (!write.await(Deadline.after(patience, time))) {
      threads.withdraw(share, write); // one that waits for a thread is nobody's any more
      throw new FailoverStoreException(
          "the store must take an answer within %s but has not; put an AsyncFailoverStore before it"
              .formatted(patience),
          null);
    }
    write.throwIfFailed();
  }

  void close() {
    threads.close();
  }

  /** One write and how it ended. For one use by its two threads. */
  private static final class Write implements SharedThreads.Work {
    private final Runnable carried;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Throwable failure;

    Write(UnaryOperator<Runnable> context, Runnable write) {
      this.carried = context.apply(write);
    }

    @Override
    public void run() {
      try {
        carried.run();
      } catch (Throwable thrown) { // reaches the caller as it is
        failure = thrown;
      } finally {
        ended.countDown();
      }
    }

    @Override
    public void failed(Throwable why) {
      failure = why;
      ended.countDown();
    }

    /** Waits until it has ended; an interrupt does not keep the answer from being written. */
    boolean await(Deadline deadline) {
      boolean interrupted = false;
      try {
        while (true) {
          try {
            return ended.await(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    void throwIfFailed() {
      if (failure instanceof Error error) {
        throw error;
      } else if (failure instanceof RuntimeException exception) {
        throw exception;
      } else if (failure != null) {
        throw new FailoverStoreException("the store must throw exceptions but did not", failure);
      }
    }
  }
}
