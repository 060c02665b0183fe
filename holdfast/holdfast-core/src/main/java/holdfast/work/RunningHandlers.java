package holdfast.work;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The handlers that run now, on threads or as stages that complete later. Warns of one that runs
 * for a minute, with the stack trace of its thread, and again after twice the time. Interrupts or
 * cancels one that runs longer than its type may; of one that ignores the interrupt it warns a
 * second later. Safe for use by many threads.
 */
final class RunningHandlers<T extends WorkItem> {
  /** When a handler is taken to hang. */
  static final Duration HANGS_AFTER = Duration.ofMinutes(1);

  /** How long a handler may take to end after it was interrupted. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private static final Duration CHECK_EVERY = Duration.ofSeconds(1);
  private static final Duration CHECK_AT_MOST_EVERY = Duration.ofMillis(10);
  private static final int CHECKS_PER_TIMEOUT = 4;

  private final System.Logger log;
  private final String subject;
  private final HandlerTimeouts timeouts;
  private final TimeSource time;
  private final Set<Run<T>> runs = ConcurrentHashMap.newKeySet();

  RunningHandlers(WorkSettings settings, TimeSource time) {
    this.log = LibraryLogger.of(settings.library());
    this.subject = settings.library() + " " + settings.handlerName();
    this.timeouts = settings.timeouts();
    this.time = time;
  }

  /** One call of handlers: of a thread, until it has returned a stage. */
  static final class Run<T extends WorkItem> {
    private final T item;
    private final Thread thread;
    private final long startedAt;
    private final @Nullable Duration limit;
    private Duration warnAfter = HANGS_AFTER; // confined to the watch
    private @Nullable CompletionStage<?> stage; // guarded by this, as all that follows
    private boolean ended;
    private boolean timedOut;

    private Run(T item, Thread thread, long startedAt, @Nullable Duration limit) {
      this.item = item;
      this.thread = thread;
      this.startedAt = startedAt;
      this.limit = limit;
    }

    long startedAt() {
      return startedAt;
    }

    private synchronized boolean isOnThread() {
      return stage == null;
    }

    /** Interrupts or cancels it; false if it has ended, or its time was over before. */
    private boolean timeOut() {
      synchronized (this) {
        if (ended || timedOut) {
          return false;
        }
        timedOut = true;
      }
      interrupt();
      return true;
    }

    /** Interrupts the thread while it is at this event, or cancels the stage. */
    private void interrupt() {
      CompletionStage<?> cancelled;
      synchronized (this) {
        if (!ended && stage == null) {
          thread.interrupt();
        }
        cancelled = ended ? null : stage;
      }
      cancel(cancelled);
    }

    /** Cancels outside the lock: what hears of it runs here. */
    private static void cancel(@Nullable CompletionStage<?> stage) {
      if (stage instanceof Future<?> future) {
        try {
          future.cancel(true);
        } catch (UnsupportedOperationException e) {
          return; // a stage may refuse: then its end is awaited
        }
      }
    }

    private synchronized boolean end() {
      boolean first = !ended;
      ended = true;
      return first;
    }

    /** Returns the limit that it has exceeded; null if it has not. */
    synchronized @Nullable Duration exceeded() {
      return timedOut ? limit : null;
    }
  }

  /** Notes that the calling thread runs the handlers of an event, and perhaps of others with it. */
  Run<T> begin(T item) {
    Run<T> run = new Run<>(item, Thread.currentThread(), time.nanoTime(), timeouts.of(item.type()));
    runs.add(run);
    return run;
  }

  /** Notes that the calling thread has returned, and a stage has taken its place. */
  void continueAs(CompletionStage<?> stage, Run<T> run) {
    boolean late;
    synchronized (run) {
      run.stage = stage;
      late = run.timedOut;
    }
    Thread.interrupted(); // meant for the handler
    if (late) {
      Run.cancel(stage);
    }
  }

  /** Notes that the handlers have ended; the thread is not interrupted afterwards. */
  void end(Run<T> run) {
    run.end();
    runs.remove(run);
    Thread.interrupted(); // what a handler leaves behind must not end the worker
  }

  /** Notes that the stage has completed; false if it had before. */
  boolean complete(Run<T> run) {
    runs.remove(run);
    return run.end();
  }

  /** Interrupts or cancels one of them. */
  void interrupt(Run<T> run) {
    run.interrupt();
  }

  /** Interrupts or cancels all of them. */
  void interruptAll() {
    new ArrayList<>(runs).forEach(Run::interrupt);
  }

  /** Returns how many there are. */
  int count() {
    return runs.size();
  }

  /** Returns how long the handler that runs longest has run. */
  Duration longest() {
    return runs.stream().map(this::age).max(Duration::compareTo).orElse(Duration.ZERO);
  }

  private Duration age(Run<T> run) {
    return Duration.ofNanos(time.nanoTime() - run.startedAt);
  }

  /** Returns how many threads have a handler that has run for so long. */
  int onThreadsFor(Duration duration) {
    long since = time.nanoTime() - duration.toNanos();
    return onThreads(run -> run.startedAt - since <= 0);
  }

  /** Returns how many threads have a handler that has exceeded its limit. */
  int timedOut() {
    return onThreads(run -> run.exceeded() != null);
  }

  private int onThreads(Predicate<Run<T>> which) {
    return (int) runs.stream().filter(which).filter(Run::isOnThread).count();
  }

  /** Returns how often to {@link #watch}. */
  Duration watchEvery() {
    Duration every =
        timeouts
            .shortest(CHECK_EVERY.multipliedBy(CHECKS_PER_TIMEOUT))
            .dividedBy(CHECKS_PER_TIMEOUT);
    return every.compareTo(CHECK_AT_MOST_EVERY) < 0 ? CHECK_AT_MOST_EVERY : every;
  }

  /** Warns of those that hang, interrupts or cancels those that exceed their limit. */
  void watch(Runnable onThreadTimeout) {
    List<Run<T>> incomplete = new ArrayList<>();
    for (Run<T> run : runs) {
      Duration age = age(run);
      if (age.compareTo(run.warnAfter) >= 0) {
        run.warnAfter = run.warnAfter.multipliedBy(2);
        if (run.isOnThread()) {
          String ignored =
              run.exceeded() == null
                  ? ""
                  : " and ignores that it was interrupted after " + run.limit;
          warn(run, ignored + "; below is where its thread is", stackOf(run.thread));
        } else {
          incomplete.add(run);
        }
      }
      if (run.limit != null && age.compareTo(run.limit) >= 0) {
        boolean onThread = run.isOnThread();
        if (run.timeOut() && onThread) {
          run.warnAfter = age.plus(GRACE);
          onThreadTimeout.run();
        }
      }
    }
    if (!incomplete.isEmpty()) { // one line: there may be hundreds
      int others = incomplete.size() - 1;
      warn(incomplete.get(0), "; its stage is not complete, nor those of others=" + others, null);
    }
  }

  private static Exception stackOf(Thread thread) {
    Exception stack = new Exception("stack of " + thread.getName());
    stack.setStackTrace(thread.getStackTrace());
    return stack;
  }

  private void warn(Run<T> run, String more, @Nullable Exception stack) {
    String text =
        subject
            + " may hang: type="
            + run.item.type()
            + " "
            + run.item
            + " running for "
            + age(run).toSeconds()
            + " s"
            + more;
    log.log(WARNING, text, stack);
  }
}
