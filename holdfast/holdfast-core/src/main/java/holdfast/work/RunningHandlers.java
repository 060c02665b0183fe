package holdfast.work;

import static java.lang.System.Logger.Level.WARNING;

import holdfast.log.LibraryLogger;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The handlers that run now. Warns of one that runs for a minute, with the stack trace of its
 * thread, and again after twice the time. Interrupts one that runs longer than its type may. Safe
 * for use by many threads.
 */
final class RunningHandlers<T extends WorkItem> {
  /** When a handler is taken to hang. */
  static final Duration HANGS_AFTER = Duration.ofMinutes(1);

  private static final Duration CHECK_EVERY = Duration.ofSeconds(1);
  private static final Duration CHECK_AT_MOST_EVERY = Duration.ofMillis(10);
  private static final int CHECKS_PER_TIMEOUT = 4;

  private final System.Logger log;
  private final String library;
  private final HandlerTimeouts timeouts;
  private final TimeSource time;
  private final Map<Thread, Run<T>> runs = new ConcurrentHashMap<>();

  RunningHandlers(String library, HandlerTimeouts timeouts, TimeSource time) {
    this.log = LibraryLogger.of(library);
    this.library = library;
    this.timeouts = timeouts;
    this.time = time;
  }

  /** One event in the hands of one thread. Safe for use by many threads. */
  static final class Run<T extends WorkItem> {
    private final T item;
    private final Thread thread;
    private final long startedAt;
    private final @Nullable Duration limit;
    private Duration warnAfter = HANGS_AFTER; // confined to the watch
    private boolean ended; // guarded by this
    private boolean timedOut; // guarded by this

    private Run(T item, Thread thread, long startedAt, @Nullable Duration limit) {
      this.item = item;
      this.thread = thread;
      this.startedAt = startedAt;
      this.limit = limit;
    }

    /** Interrupts the thread while it is at this event; false if it is not, or was before. */
    private synchronized boolean timeOut() {
      if (ended || timedOut) {
        return false;
      }
      timedOut = true;
      thread.interrupt();
      return true;
    }

    /** Interrupts the thread while it is at this event. */
    private synchronized void interrupt() {
      if (!ended) {
        thread.interrupt();
      }
    }

    private synchronized void end() {
      ended = true;
    }

    /** Returns the limit that it has exceeded; null if it has not. */
    synchronized @Nullable Duration exceeded() {
      return timedOut ? limit : null;
    }
  }

  /** Notes that the calling thread runs the handlers of an event. */
  Run<T> begin(T item) {
    Thread thread = Thread.currentThread();
    Run<T> run = new Run<>(item, thread, time.nanoTime(), timeouts.of(item.type()));
    runs.put(thread, run);
    return run;
  }

  /** Notes that they have ended; the thread is not interrupted afterwards. */
  void end(Run<T> run) {
    run.end();
    runs.remove(run.thread);
    Thread.interrupted(); // what a handler leaves behind must not end the worker
  }

  /** Interrupts all of them; returns how many. */
  int interruptAll() {
    List<Run<T>> all = new ArrayList<>(runs.values());
    all.forEach(Run::interrupt);
    return all.size();
  }

  /** Returns how long the handler that runs longest has run. */
  Duration longest() {
    long now = time.nanoTime();
    return runs.values().stream()
        .map(run -> Duration.ofNanos(now - run.startedAt))
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  /** Returns how many are taken to hang. */
  int hanging() {
    long now = time.nanoTime();
    return (int)
        runs.values().stream().filter(run -> now - run.startedAt >= HANGS_AFTER.toNanos()).count();
  }

  /** Returns how many have exceeded their limit. */
  int timedOut() {
    return (int) runs.values().stream().filter(run -> run.exceeded() != null).count();
  }

  /** Returns how often to {@link #watch}. */
  Duration watchEvery() {
    Duration every =
        timeouts
            .shortest(CHECK_EVERY.multipliedBy(CHECKS_PER_TIMEOUT))
            .dividedBy(CHECKS_PER_TIMEOUT);
    return every.compareTo(CHECK_AT_MOST_EVERY) < 0 ? CHECK_AT_MOST_EVERY : every;
  }

  /** Warns of those that hang and interrupts those that exceed their limit. */
  void watch(Consumer<Run<T>> onTimeout) {
    long now = time.nanoTime();
    for (Run<T> run : runs.values()) {
      Duration age = Duration.ofNanos(now - run.startedAt);
      if (age.compareTo(run.warnAfter) >= 0) {
        run.warnAfter = run.warnAfter.multipliedBy(2);
        warn(run, age);
      }
      if (run.limit != null && age.compareTo(run.limit) >= 0 && run.timeOut()) {
        onTimeout.accept(run);
      }
    }
  }

  private void warn(Run<T> run, Duration age) {
    Exception stack = new Exception("stack of " + run.thread.getName());
    stack.setStackTrace(run.thread.getStackTrace());
    log.log(
        WARNING,
        library
            + " handler may hang: type="
            + run.item.type()
            + " "
            + run.item
            + " running for "
            + age.toSeconds()
            + " s; below is where its thread is",
        stack);
  }
}
