package failover.execution;

import failover.threads.SharedThreads;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Threads;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The calls with a timeout and their threads, whose number is bounded. Safe for use by many
 * threads.
 */
final class TimedCalls {
  private static final long IDLE_SECONDS = 60;

  private final SharedThreads threads;
  private final ContextPropagator context;
  private final Set<TimedCall<?>> running = ConcurrentHashMap.newKeySet();
  private volatile List<TimedCall<?>> left = List.of(); // what was under way when it was closed
  private final ScheduledThreadPoolExecutor deadlines =
      new ScheduledThreadPoolExecutor(1, Threads.daemon("failover-deadline"));

  TimedCalls(int most, ContextPropagator context) {
    this(Threads.daemon("failover-call"), most, context);
  }

  TimedCalls(ThreadFactory factory, int most, ContextPropagator context) {
    this.threads = new SharedThreads(factory, most);
    this.context = context;
    deadlines.setRemoveOnCancelPolicy(true);
    deadlines.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
    deadlines.allowCoreThreadTimeOut(true);
  }

  /** A call that has a thread, or waits for one. */
  final class Submitted implements SharedThreads.Work {
    private final TimedCall<?> call;
    private final Runnable carried;
    private final SharedThreads.Share share;

    private Submitted(TimedCall<?> call, SharedThreads.Share share) {
      this.call = call;
      this.carried = context.wrap(call);
      this.share = share;
    }

    /** From then on closing waits for it, however long its thread takes to begin. */
    @Override
    public void taken() {
      running.add(call);
      call.taken();
    }

    @Override
    public void run() {
      try {
        carried.run();
      } catch (RuntimeException | Error e) { // whatever hangs on the thread does, the call ends
        call.failed(e);
      } finally {
        running.remove(call);
      }
    }

    @Override
    public void failed(Throwable why) {
      running.remove(call);
      call.failed(why);
    }

    /** Takes it back, if it waits for a thread; false if it has one. */
    boolean withdraw() {
      return threads.withdraw(share, this);
    }

    /**
     * Has something quick done after that time, with the context of this thread, if it has not
     * ended by then.
     */
    void unlessFinished(Duration delay, Runnable action) {
      Future<?> waiting = after(delay, carried(action));
      call.whenFinished(() -> waiting.cancel(false));
    }
  }

  /** What has been left is counted, also where what carries the context fails. */
  private Runnable carried(Runnable action) {
    try {
      return context.wrap(action);
    } catch (RuntimeException | Error e) {
      return action;
    }
  }

  /** Has something quick done after that time, unless it is cancelled before. */
  Future<?> after(Duration delay, Runnable action) {
    return deadlines.schedule(action, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Has a call made as soon as a thread is free for its point, with the context of this thread. */
  Submitted submit(TimedCall<?> call, SharedThreads.Share share) {
    Submitted submitted = new Submitted(call, share);
    threads.submit(share, submitted);
    call.queued();
    return submitted;
  }

  /** Waits for the calls under way for that time, and interrupts what is left of them. */
  void close(Duration timeout, TimeSource time) {
    left = List.copyOf(running);
    await(left, Deadline.after(timeout, time));
    left.forEach(TimedCall::interrupt); // nothing happens to those that have ended
    deadlines.setKeepAliveTime(1, TimeUnit.SECONDS); // calls are made all the same, and end in time
    threads.close();
  }

  /** Waits for the calls that closing has interrupted; returns how many have not ended then. */
  int unfinished(Duration patience, TimeSource time) {
    await(left, Deadline.after(patience, time));
    return (int) left.stream().filter(call -> call.finished().getCount() > 0).count();
  }

  private static void await(List<TimedCall<?>> calls, Deadline deadline) {
    try {
      for (TimedCall<?> call : calls) {
        deadline.await(call.finished());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
