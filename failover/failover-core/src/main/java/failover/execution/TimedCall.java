package failover.execution;

import failover.Source;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call on a thread of its own, for which its caller waits only so long. Whoever comes first
 * decides: the call ends and its caller takes the answer, or the caller leaves and the call looks
 * after its answer itself. Safe for use by its two threads.
 */
final class TimedCall<T> implements Runnable {

  private enum Stage {
    AWAITED,
    ENDED,
    LEFT
  }

  private final Source<T, ?> source;
  private final Consumer<Answer<T>> whenLeft;
  private final TimeSource time;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.AWAITED);
  private volatile @Nullable Answer<T> answer;
  private @Nullable Thread worker; // guarded by this
  private boolean isInterrupted; // guarded by this

  TimedCall(Source<T, ?> source, Consumer<Answer<T>> whenLeft, TimeSource time) {
    this.source = source;
    this.whenLeft = whenLeft;
    this.time = time;
  }

  @Override
  public void run() {
    begin(Thread.currentThread());
    Answer<T> mine = Answer.of(source, time);
    begin(null); // nobody interrupts what this thread does next
    Thread.interrupted();
    end(mine);
  }

  /**
   * Ends a call whose source was never asked, because what was to carry it to its thread failed.
   */
  void endUnlessAsked(Throwable failure) {
    if (answer == null) {
      end(new Answer<>(null, failure, 0));
    }
  }

  private void end(Answer<T> mine) {
    answer = mine;
    if (stage.compareAndSet(Stage.AWAITED, Stage.ENDED)) {
      ended.countDown();
    } else {
      whenLeft.accept(mine);
    }
  }

  /**
   * Waits for the answer. An interrupt of the caller is passed on to the source, which answers as
   * it would have on the caller's own thread; the caller is interrupted again afterwards.
   *
   * @return the answer, or null if there is none after that time
   */
  @Nullable Answer<T> await(Duration timeout) {
    long deadline = time.nanoTime() + timeout.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          long left = deadline - time.nanoTime();
          return ended.await(left, TimeUnit.NANOSECONDS) ? answer : null;
        } catch (InterruptedException e) {
          interrupted = true;
          interrupt();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Whether its caller has left it to itself. */
  boolean isLeft() {
    return stage.get() == Stage.LEFT;
  }

  /** Leaves the call to itself; false if it has ended, and its answer is there. */
  boolean leave() {
    return stage.compareAndSet(Stage.AWAITED, Stage.LEFT);
  }

  /** The answer of a call that could not be left. */
  Answer<T> answer() {
    Answer<T> given = answer;
    if (given == null) {
      throw new IllegalStateException("a call that has ended must have an answer but has none");
    }
    return given;
  }

  /** Interrupts the source, also one that is only about to be asked. */
  synchronized void interrupt() {
    isInterrupted = true;
    if (worker != null) {
      worker.interrupt();
    }
  }

  private synchronized void begin(@Nullable Thread thread) {
    worker = thread;
    if (thread != null && isInterrupted) {
      thread.interrupt();
    }
  }
}
