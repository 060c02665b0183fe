package holdfast.work;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import holdfast.lifecycle.Threads;
import holdfast.log.FailureSeries;
import holdfast.log.LibraryLogger;
import holdfast.log.LineLimit;
import holdfast.log.LogText;
import holdfast.log.Outage;
import holdfast.retry.Backoff;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of a node that records outcomes and renews leases; being one, it cannot deadlock
 * with itself over rows that both touch.
 *
 * <p>An outcome that comes after a pause is recorded at once; while they come fast, they are
 * recorded together, every 20 milliseconds or 500 outcomes. What cannot be recorded is tried again
 * until it can, beside newer ones; that is never taken for a failure of the handlers. The backlog
 * is bounded: workers wait when it is full. Safe for use by many threads.
 */
final class OutcomeWriter<T extends WorkItem> {
  /** How long outcomes wait for others; shorter, and less is done again after a crash. */
  private static final Duration LINGER = Duration.ofMillis(20);

  private static final int BATCH = 500;

  /**
   * How many outcomes may wait. Few enough for a slow database to record them long before leases
   * end, or else events would be handled again; enough to keep workers busy while a batch is
   * written.
   */
  private static final int BACKLOG = 4 * BATCH;

  /** How many may wait that the table has refused, or that come from threads that cannot wait. */
  private static final int MOST = 10_000;

  private static final int FAILURES_OF_A_DATABASE = 3;
  private static final String LOOP = "outcomes";

  private final System.Logger log;
  private final String library;
  private final WorkStore<T> store;
  private final BiConsumer<Ended<T>, Boolean> onRecorded;
  private final Outage outage;
  private final FailureSeries refusals;
  private final LeaseRenewal<T> renewal;
  private final TimeSource time;
  private final LineLimit crashes;
  private final Alarm alarm;
  private final ThreadFactory threads;
  private final Backoff backoff = Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(2));
  private final BlockingQueue<Ended<T>> backlog = new LinkedBlockingQueue<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean idle;
  private volatile boolean urgent;
  private volatile boolean closing;
  private volatile int kept; // how many are in the two lines below

  // Confined to the writer's thread, of which there is one at a time.
  private final Deque<Ended<T>> fresh = new ArrayDeque<>();
  private final Deque<Ended<T>> refused = new ArrayDeque<>();
  private long lastFlush;
  private long retryAt;
  private @Nullable Exception trouble;
  private int failures; // 1: some were recorded; more: how many times in a row none was

  /**
   * Creates a writer of a library's outcomes that is not started.
   *
   * @param onRecorded is called with each recorded outcome, and whether it was stale
   */
  OutcomeWriter(
      String library,
      WorkStore<T> store,
      BiConsumer<Ended<T>, Boolean> onRecorded,
      LeaseRenewal<T> renewal,
      Outage outage,
      TimeSource time) {
    this.log = LibraryLogger.of(library);
    this.library = library;
    this.threads = Threads.daemon(library + "-status");
    this.store = store;
    this.onRecorded = onRecorded;
    this.outage = outage;
    this.refusals = new FailureSeries(log, WARNING, library + " outcome write", "", time);
    this.renewal = renewal;
    this.time = time;
    this.crashes = new LineLimit(time);
    this.alarm = time.newAlarm();
    this.lastFlush = time.nanoTime() - LINGER.toNanos();
  }

  /** Starts the thread. */
  void start() {
    threads.newThread(this::run).start();
  }

  /** Hands an outcome over; waits while the backlog is full. */
  void add(Ended<T> outcome) {
    if (isBacklogFull()) {
      awaitRoom();
    }
    addNow(outcome);
  }

  private boolean isBacklogFull() {
    return backlog.size() >= BACKLOG;
  }

  /** An outcome is never dropped: a caller that is interrupted waits, and stays interrupted. */
  private void awaitRoom() {
    boolean interrupted = false;
    synchronized (backlog) {
      while (isBacklogFull()) {
        try {
          backlog.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns whether more wait than those of workers, which wait, too: no event may be added. */
  boolean isOverfull() {
    return backlog.size() >= 2 * BACKLOG;
  }

  private void announceRoom() {
    synchronized (backlog) {
      backlog.notifyAll();
    }
  }

  /** Hands an outcome over without waiting; {@link #isOverfull} and limits by type bound them. */
  void addNow(Ended<T> outcome) {
    backlog.add(outcome);
    announce(outcome);
  }

  /** Hands an outcome over without waiting, unless very many wait. */
  boolean offer(Ended<T> outcome) {
    boolean taken = backlog.size() < MOST;
    if (taken) {
      addNow(outcome);
    }
    return taken;
  }

  // The writer says that it is idle before it looks whether the backlog is empty, and the
  // outcome is there before this looks whether the writer is idle: one of the two sees the other.
  private void announce(Ended<T> outcome) {
    boolean hurry = outcome.isUrgent();
    if (hurry) {
      urgent = true;
    }
    if (hurry || idle || backlog.size() == BATCH) {
      idle = false;
      alarm.ring();
    }
  }

  /** Has the thread end once nothing is in flight; until then it renews and records. */
  void close() {
    closing = true;
    alarm.ring();
  }

  /** Opens when the thread has ended. */
  CountDownLatch ended() {
    return ended;
  }

  /** Returns how many outcomes were handed over and are not recorded. */
  int backlog() {
    return backlog.size() + kept;
  }

  private void run() {
    boolean replace = true;
    try {
      while (!(closing && renewal.hasNothingInFlight() && backlog() == 0)) {
        try {
          turn();
        } catch (RuntimeException e) {
          long count = crashes.next();
          if (count > 0) {
            String counted = " status writer failed and goes on failures=" + count;
            log.log(ERROR, library + counted + " error=" + LogText.line(e), e);
          }
        }
      }
      replace = false;
      renewal.end();
    } catch (InterruptedException e) {
      replace = false;
      Thread.currentThread().interrupt();
      log.log(WARNING, library + " status writer interrupted; unrecorded outcomes=" + backlog());
    } finally {
      if (replace) { // An error ends the thread, not the work.
        backOff(failures + 1);
        start();
      } else {
        ended.countDown();
      }
    }
  }

  private void turn() throws InterruptedException {
    alarm.await(untilNextTask());
    idle = false;
    boolean mayWrite = failures <= 1 || mayRetry();
    boolean shouldWrite = closing || urgent || isFull() || lingered();
    if (backlog() == 0) {
      failures = 0;
    } else if (mayWrite && (shouldWrite || !refused.isEmpty())) {
      flush();
    }
    renewal.renewIfDue(this::release);
  }

  private void release(T item) {
    refused.add(Ended.released(item));
    kept = refused.size() + fresh.size();
  }

  private Duration untilNextTask() {
    Duration wait = renewal.untilNext();
    if (failures > 0 || !refused.isEmpty()) {
      wait = shorter(wait, failures > 0 ? until(retryAt) : Duration.ZERO);
    }
    if (closing) {
      wait = shorter(wait, LINGER);
    }
    idle = true;
    if (backlog.isEmpty()) {
      return wait;
    }
    idle = false;
    if (failures > 1) {
      return wait;
    }
    return urgent || isFull() ? Duration.ZERO : shorter(until(lastFlush + LINGER.toNanos()), wait);
  }

  private boolean isFull() {
    return backlog.size() >= BATCH;
  }

  private boolean lingered() {
    return time.nanoTime() - lastFlush >= LINGER.toNanos();
  }

  private boolean mayRetry() {
    return failures == 0 || time.nanoTime() - retryAt >= 0;
  }

  /** New outcomes first: those refused before may be refused for ever and must not hold them up. */
  private void flush() {
    urgent = false;
    boolean retry = mayRetry();
    refused.addAll(fresh); // only after an error ended the thread
    fresh.clear();
    if (refused.size() < MOST) {
      backlog.drainTo(fresh, BATCH);
      announceRoom();
    }
    kept = fresh.size() + refused.size();
    boolean none = fresh.isEmpty();
    boolean wrote = recordSome(fresh);
    boolean failed = !fresh.isEmpty();
    if (retry && (none || wrote)) {
      wrote |= recordSome(refused);
      failed |= !refused.isEmpty();
    }
    refused.addAll(fresh);
    fresh.clear();
    lastFlush = time.nanoTime();
    kept = refused.size();
    if (refused.isEmpty()) {
      failures = 0;
    } else if (failed) {
      backOff(wrote ? 1 : failures + 1);
    }
    if (failed || refused.isEmpty()) {
      report(refused.size(), wrote);
    }
    if (!backlog.isEmpty()) {
      alarm.ring();
    }
  }

  /**
   * Reports how a flush ended: if nothing could be recorded, the database fails; if some could, it
   * refuses the others.
   *
   * @param unwritten how many wait to be recorded again
   * @param wrote whether any was recorded
   */
  private void report(int unwritten, boolean wrote) {
    if (unwritten == 0 || wrote) {
      outage.worked(LOOP);
    }
    Exception cause = trouble;
    if (unwritten == 0) {
      refusals.worked();
    } else if (cause != null && wrote) {
      refusals.failed(" unwritten=" + unwritten, cause);
    } else if (cause != null) {
      outage.failed(LOOP, cause);
    }
  }

  /**
   * Records outcomes together, or one by one if that fails, so that one that the table refuses does
   * not hold up the others. Leaves the rest; returns whether anything was recorded.
   */
  private boolean recordSome(Deque<Ended<T>> outcomes) {
    if (outcomes.isEmpty()) {
      return false;
    }
    List<Ended<T>> all = List.copyOf(outcomes);
    Set<T> stale = record(all);
    if (stale != null) {
      outcomes.clear();
      all.forEach(ended -> settle(ended, stale));
      return true;
    }
    return outcomes.size() > 1 && recordOneByOne(outcomes);
  }

  /** What is refused goes to the end of the line; several in a row mean the database. */
  private boolean recordOneByOne(Deque<Ended<T>> outcomes) {
    int before = outcomes.size();
    int inARow = 0;
    for (int i = 0; i < before && inARow < FAILURES_OF_A_DATABASE; i++) {
      Ended<T> ended = outcomes.getFirst();
      Set<T> stale = record(List.of(ended));
      outcomes.removeFirst();
      if (stale != null) {
        inARow = 0;
        settle(ended, stale);
      } else {
        inARow++;
        outcomes.addLast(ended);
      }
    }
    return outcomes.size() < before;
  }

  /** Returns the items whose outcome was refused; null if nothing was recorded. */
  private @Nullable Set<T> record(List<Ended<T>> outcomes) {
    try {
      return store.record(outcomes);
    } catch (Exception e) {
      trouble = e;
      return null;
    }
  }

  /** What is recorded stays recorded, whatever a listener throws. */
  private void settle(Ended<T> ended, Set<T> stale) {
    try {
      onRecorded.accept(ended, stale.contains(ended.item()));
    } catch (RuntimeException e) {
      log.log(ERROR, library + " could not report that this was recorded: " + ended, e);
    }
  }

  private void backOff(int failuresNow) {
    failures = failuresNow;
    retryAt = time.nanoTime() + backoff.delay(failuresNow).toNanos();
  }

  private Duration until(long moment) {
    return Duration.ofNanos(Math.max(0, moment - time.nanoTime()));
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
