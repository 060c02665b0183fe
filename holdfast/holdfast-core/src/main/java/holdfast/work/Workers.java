package holdfast.work;

import static holdfast.work.LeaseRenewal.WAIT_BESIDE_OTHERS;
import static java.lang.System.Logger.Level.ERROR;

import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Loop;
import holdfast.lifecycle.Threads;
import holdfast.log.LibraryLogger;
import holdfast.log.LineLimit;
import holdfast.log.LogText;
import holdfast.log.Outage;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import holdfast.work.WorkStore.Start;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run handlers, one event at a time each. A thread whose handler exceeds its time
 * limit is interrupted and replaced; it keeps its event until the handler returns, so that the next
 * attempt never runs beside it. Safe for use by many threads.
 *
 * <p>Before handlers run, more of the lease must be left than one renewal period and the drift of
 * the clocks; otherwise the lease is renewed with its token first. If that fails or touches no row,
 * the event is dropped: another node has it, or will.
 */
final class Workers<T extends WorkItem> {
  private static final Duration CHECK_EVERY = Duration.ofMillis(20);
  private static final String START_CHECK = "start check";

  /** How often a lease is renewed for one start: each slow answer uses it up again. */
  private static final int MOST_RENEWALS = 3;

  private final System.Logger log;
  private final WorkSettings settings;
  private final WorkStore<T> store;
  private final Attempt<T> attempt;
  private final WorkListener<T> listener;
  private final Prefetch prefetch;
  private final WorkQueue<T> queue;
  private final InFlight<T> inFlight;
  private final OutcomeWriter<T> writer;
  private final Outage outage;
  private final TimeSource time;
  private final ThreadFactory threads;
  private final LineLimit errors;
  private final RunningHandlers<T> running;
  private final Loop watch;
  private final AtomicInteger replaced = new AtomicInteger();
  private final Alarm idle;
  private volatile boolean awaited;
  private volatile boolean interrupting;

  Workers(
      WorkSettings settings,
      WorkStore<T> store,
      Attempt<T> attempt,
      WorkListener<T> listener,
      Prefetch prefetch,
      WorkQueue<T> queue,
      InFlight<T> inFlight,
      OutcomeWriter<T> writer,
      Outage outage,
      TimeSource time) {
    this.log = LibraryLogger.of(settings.library());
    this.settings = settings;
    this.store = store;
    this.attempt = attempt;
    this.listener = listener;
    this.prefetch = prefetch;
    this.queue = queue;
    this.inFlight = inFlight;
    this.writer = writer;
    this.outage = outage;
    this.time = time;
    this.threads = Threads.daemon(settings.library() + "-worker");
    this.errors = new LineLimit(time);
    this.running = new RunningHandlers<>(settings, time);
    this.watch =
        new Loop(
            settings.library() + "-watch",
            running.watchEvery(),
            this::watchHandlers,
            failure -> log.log(ERROR, settings.library() + " watch failed and goes on", failure),
            time);
    this.idle = time.newAlarm();
  }

  void start() {
    for (int i = 0; i < settings.workers(); i++) {
      startWorker();
    }
    watch.start();
  }

  private Duration watchHandlers() {
    running.watch(this::replace);
    listener.watching();
    return running.watchEvery();
  }

  /** Starts another thread for one whose handler does not return; at most one for each worker. */
  private void replace() {
    if (replaced.incrementAndGet() <= settings.workers()) {
      startWorker();
      queue.workerAdded();
    } else {
      replaced.decrementAndGet();
    }
  }

  /** Returns how many threads there are: the workers, and those for handlers that hang. */
  int count() {
    return settings.workers() + replaced.get();
  }

  /** Returns how many of them are free or about to be: all but those that have run for a second. */
  int promptCount() {
    return Math.max(0, count() - running.onThreadsFor(WAIT_BESIDE_OTHERS));
  }

  /** Returns how long the handler that runs longest has run. */
  Duration longestRunning() {
    return running.longest();
  }

  /** Returns whether every thread has a handler that hangs. */
  boolean allHang() {
    return running.onThreadsFor(RunningHandlers.HANGS_AFTER) >= count();
  }

  /** Waits until nothing waits in the queue and no handler runs. */
  void awaitIdle(Deadline deadline) throws InterruptedException {
    awaited = true;
    while (queue.unfinished() > 0 && !deadline.isOver()) {
      Duration left = deadline.remaining();
      idle.await(left.compareTo(CHECK_EVERY) < 0 ? left : CHECK_EVERY);
    }
  }

  /** Interrupts the handlers that still run; none starts from now on. */
  void interrupt() {
    interrupting = true;
    watch.close(Duration.ZERO);
    running.interruptAll();
  }

  /** Returns how many handlers run. */
  int running() {
    return running.count();
  }

  private void work() {
    boolean stopped = false;
    try {
      while (!stopped) {
        stopped = !workOnce();
      }
    } finally {
      if (!stopped) { // An error of the virtual machine ends the thread, not the work.
        startWorker();
      }
    }
  }

  private void startWorker() {
    Thread worker = threads.newThread(this::work);
    if (Thread.getDefaultUncaughtExceptionHandler() == null) {
      worker.setUncaughtExceptionHandler((thread, error) -> replacedAfter(error));
    }
    worker.start();
  }

  /** Instead of the stack trace that the JVM would print each time. */
  private void replacedAfter(Throwable error) {
    long count = errors.next();
    if (count > 0) {
      String counted = " worker ended by an error and was replaced errors=" + count;
      log.log(ERROR, settings.library() + counted + " error=" + LogText.line(error), error);
    }
  }

  /** Works on one event; false if the thread is to end. */
  private boolean workOnce() {
    try {
      T next = queue.take();
      if (next != null) {
        process(next);
      }
      return next != null && !isSurplus();
    } catch (InterruptedException e) {
      return true; // left over from a handler, or the close that follows stops the queue
    }
  }

  /** Whether the handler that another thread was replaced for has returned. */
  private boolean isSurplus() {
    int added = replaced.get();
    return added > 0 && added > running.timedOut() && replaced.compareAndSet(added, added - 1);
  }

  private void process(T first) {
    List<T> items = List.of(first);
    boolean pending = false;
    try {
      if (queue.hasMoreOf(first.type())) {
        items = queue.takeMore(first, attempt.batchSize(first.type()));
      }
      listener.taken();
      pending = run(items);
    } finally {
      if (pending) {
        queue.workerFreed();
      } else {
        finished(first, items.size(), true);
      }
    }
  }

  private void finished(T first, int events, boolean byWorker) {
    queue.finished(first, events, byWorker);
    if (awaited) {
      idle.ring();
    }
  }

  /** Runs the handlers of what may run; returns whether their outcome follows later. */
  private boolean run(List<T> items) {
    List<T> granted = new ArrayList<>(items.size());
    long takenAt = time.nanoTime();
    boolean handedOver = false;
    try {
      for (T item : items) {
        if (item.begin() && mayRun(item)) { // else released or lost while it waited
          granted.add(item);
        }
      }
      boolean pending = !granted.isEmpty() && handle(granted, takenAt);
      handedOver = true;
      return pending;
    } catch (RuntimeException e) {
      log.log(ERROR, settings.library() + " worker failed on " + items, e);
      return false;
    } finally {
      if (!handedOver) { // also after an error: without an outcome to record, it is not in flight
        granted.forEach(inFlight::remove);
      }
    }
  }

  private boolean mayRun(T item) {
    boolean kept = false;
    try {
      Start start = start(item);
      kept = start == Start.GRANTED || start == Start.NOT_YET;
      if (start == Start.NOT_YET) {
        writer.add(Ended.released(item));
      } else if (start == Start.SET_ASIDE) {
        listener.setAside(item);
      }
      return start == Start.GRANTED;
    } finally {
      if (!kept) {
        inFlight.remove(item);
      }
    }
  }

  private Start start(T item) {
    long sentAt = time.nanoTime();
    boolean renew =
        item.isSuspect() || item.leaseLeft(sentAt) <= settings.lease().startMargin().toNanos();
    try {
      Start start = store.start(item, renew);
      if (start == Start.GRANTED && renew) {
        item.extendLease(sentAt + settings.lease().length().toNanos());
      }
      return start == Start.GRANTED ? renewed(item) : start;
    } catch (Exception e) {
      outage.failedOnce(START_CHECK, e);
      return Start.LOST;
    }
  }

  /**
   * Renews until enough is left of the lease: a slow answer may have used it up. An event whose
   * lease is used up again and again, or still when handlers are interrupted, is released.
   */
  private Start renewed(T item) throws Exception {
    long sentAt = time.nanoTime();
    for (int i = 0; item.leaseLeft(sentAt) <= settings.lease().startMargin().toNanos(); i++) {
      if (i == MOST_RENEWALS || interrupting) {
        return Start.NOT_YET;
      }
      if (!store.renew(List.of(item)).isEmpty()) {
        return Start.LOST;
      }
      item.extendLease(sentAt + settings.lease().length().toNanos());
      sentAt = time.nanoTime();
    }
    return Start.GRANTED;
  }

  /** Runs the handlers and hands the outcomes over; returns whether they follow later. */
  private boolean handle(List<T> items, long takenAt) {
    RunningHandlers.Run<T> run = running.begin(items.get(0));
    List<Attempt.Result> results;
    boolean pending = false;
    try {
      results =
          interrupting
              ? Collections.nCopies(items.size(), new Attempt.Result(Outcome.RELEASED, null))
              : attempt.run(items, () -> interrupting);
      if (results.get(0).outcome() instanceof Outcome.Pending later) {
        pending = true;
        await(later.stage(), items.get(0), run);
        return true;
      }
    } finally {
      if (!pending) {
        running.end(run);
      }
    }
    long nanos = time.nanoTime() - run.startedAt();
    for (int i = 0; i < items.size(); i++) {
      writer.add(ended(items.get(i), run, results.get(i), nanos));
    }
    prefetch.handled(items.size(), time.nanoTime() - takenAt); // with start and hand-over
    for (Attempt.Result result : results) {
      if (result.fatal() != null) {
        throw result.fatal();
      }
    }
    return false;
  }

  private Ended<T> ended(T item, RunningHandlers.Run<T> run, Attempt.Result result, long nanos) {
    Duration exceeded = run.exceeded();
    Attempt.Result counted = exceeded == null ? result : attempt.timedOut(item, exceeded, result);
    listener.handled(item, nanos);
    return new Ended<>(item, counted.outcome(), nanos);
  }

  private void await(CompletionStage<?> stage, T item, RunningHandlers.Run<T> run) {
    running.continueAs(stage, run);
    try {
      stage.whenComplete((value, failure) -> completed(item, run, failure));
    } catch (RuntimeException e) { // a stage may be the application's code
      completed(item, run, e);
    }
    if (interrupting) {
      running.interrupt(run); // it began while the others were interrupted
    }
  }

  /** Runs on the thread that completes the stage, which must not wait. */
  private void completed(T item, RunningHandlers.Run<T> run, @Nullable Throwable failure) {
    if (!running.complete(run)) {
      return; // a stage may be the application's code, too
    }
    boolean handedOver = false;
    try {
      long nanos = time.nanoTime() - run.startedAt();
      int together = Math.min(settings.concurrency().applyAsInt(item.type()), 1_000_000);
      prefetch.handled(1, nanos / together * settings.workers());
      Throwable cause =
          failure instanceof CompletionException && failure.getCause() != null
              ? failure.getCause()
              : failure;
      Attempt.Result result = attempt.ended(item, cause, () -> interrupting);
      writer.addNow(ended(item, run, result, nanos));
      handedOver = true;
    } catch (RuntimeException e) {
      log.log(ERROR, settings.library() + " worker failed on " + item, e);
    } finally {
      if (!handedOver) {
        inFlight.remove(item);
      }
      finished(item, 1, false);
    }
  }
}
