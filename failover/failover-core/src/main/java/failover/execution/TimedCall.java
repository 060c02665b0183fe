package failover.execution;

import failover.Source;
import failover.threads.SharedThreads;
import holdfast.lifecycle.Deadline;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A call on a thread of its own, for which its caller waits only so long. The first of them
 * decides: the call ends and its caller takes the answer, or the caller leaves and the call looks
 * after its answer itself. Safe for use by its two threads.
 */
final class TimedCall<T> implements SharedThreads.Work {

  private enum Stage {
    AWAITED,
    ENDED,
    LEFT
  }

  private final Source<T, ?> source;
  private final BiConsumer<Ticket, Answer<T>> whenLeft;
  private final TimeSource time;
  private final Semaphore news = new Semaphore(0); // for the caller, which then looks what it is
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile Runnable whenFinished = () -> {};
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.AWAITED);
  private final AtomicReference<Ticket> ticket;
  private volatile @Nullable Answer<T> answer;
  private long queuedAt; // of the caller's thread
  private volatile long takenAt; // guarded by the lock of the threads, but for reading
  private @Nullable Thread worker; // guarded by this
  private boolean isInterrupted; // guarded by this

  /**
   * A call.
   *
   * @param source what it asks
   * @param ticket of the pause of its point
   * @param whenLeft takes the ticket and the answer, if nobody waits for it any more
   * @param time the clock
   */
  TimedCall(
      Source<T, ?> source, Ticket ticket, BiConsumer<Ticket, Answer<T>> whenLeft, TimeSource time) {
    this.source = source;
    this.ticket = new AtomicReference<>(ticket);
    this.whenLeft = whenLeft;
    this.time = time;
  }

  @Override
  public void run() {
    try {
      begin(Thread.currentThread());
      Answer<T> mine = Answer.of(source, time);
      begin(null); // nobody interrupts what this thread does next
      Thread.interrupted();
      end(mine);
    } finally {
      finish();
    }
  }

  /**
   * Ends a call whose source was never asked, because what was to carry it to its thread failed.
   */
  @Override
  public void failed(Throwable why) {
    if (answer == null) {
      end(Answer.failed(why, 0));
    }
    finish();
  }

  private void finish() {
    finished.countDown();
    whenFinished.run();
  }

  /** Sets what is done when nothing of it is left to do; at once if nothing is. */
  void whenFinished(Runnable action) {
    whenFinished = action;
    if (finished.getCount() == 0) {
      action.run();
    }
  }

  private void end(Answer<T> mine) {
    answer = mine;
    if (stage.compareAndSet(Stage.AWAITED, Stage.ENDED)) {
      news.release();
    } else {
      whenLeft.accept(ticket.getAndSet(Ticket.COUNTED), mine);
    }
  }

  /** Has the caller look again whether what it waits for is there. */
  void wake() {
    news.release();
  }

  /**
   * Waits for the answer, or for something else to come true. An interrupt of the caller is passed
   * on to the source, which answers as it would have on the caller's own thread; the caller is
   * interrupted again afterwards.
   *
   * @return the answer, or null if there is none by then
   */
  @Nullable Answer<T> await(Deadline deadline, BooleanSupplier orElse) {
    boolean interrupted = false;
    try {
      while (stage.get() == Stage.AWAITED && !orElse.getAsBoolean()) {
        try {
          if (!news.tryAcquire(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
            break;
          }
        } catch (InterruptedException e) {
          interrupted = true;
          interrupt();
        }
      }
      return answer;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void taken() {
    takenAt = time.nanoTime();
  }

  /** Notes, on the caller's thread, that it was submitted; from now on it waits for a thread. */
  void queued() {
    queuedAt = time.nanoTime();
  }

  /**
   * Returns how long a call that has a thread waited until one was free. The start of that thread
   * is not part of it: it delays every call, and a call with a short timeout would say nothing
   * about its source any more.
   */
  Duration waited() {
    return Duration.ofNanos(Math.max(0, takenAt - queuedAt));
  }

  /** Leaves the call to itself; false if it has ended, and its answer is there. */
  boolean leave() {
    return stage.compareAndSet(Stage.AWAITED, Stage.LEFT);
  }

  /** Leaves the call to itself, as one that has failed, and interrupts it. */
  boolean giveUp() {
    Ticket mine = ticket.getAndSet(Ticket.COUNTED);
    if (leave()) {
      interrupt();
      return true;
    }
    ticket.set(mine);
    return false;
  }

  /**
   * Interrupts a call that was left to itself, and takes its ticket, so that it is counted once.
   *
   * @return {@link Ticket#COUNTED} if the call has just ended and was counted
   */
  Ticket interruptLeft() {
    Ticket mine = ticket.getAndSet(Ticket.COUNTED);
    interrupt();
    return mine;
  }

  /** The answer of a call that could not be left. */
  Answer<T> answer() {
    Answer<T> given = answer;
    if (given == null) {
      throw new IllegalStateException("a call that has ended must have an answer but has none");
    }
    return given;
  }

  /** Open when nothing of it is left to do. */
  CountDownLatch finished() {
    return finished;
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
