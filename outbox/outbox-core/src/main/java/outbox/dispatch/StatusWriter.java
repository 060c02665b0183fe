package outbox.dispatch;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import holdfast.lifecycle.Threads;
import holdfast.retry.Backoff;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;

/**
 * The one thread of a node that writes outcomes and renews leases; being one, it cannot deadlock
 * with itself over rows that both touch.
 *
 * <p>A mark that comes after a pause is written at once; while they come fast, they are written
 * together, every {@link #LINGER} or {@link #BATCH} marks. A write that fails is tried again until
 * it succeeds, beside newer ones; it is never taken for a failure of the listener. The backlog is
 * bounded: workers wait when it is full. Safe for use by many threads.
 */
final class StatusWriter implements Runnable {
  /**
   * How long marks wait for company while they come fast. The one place that says so: longer means
   * fewer transactions, shorter means that less is delivered again after a crash.
   */
  static final Duration LINGER = Duration.ofMillis(20);

  static final int BATCH = 500;
  private static final int BACKLOG = 10_000;
  private static final System.Logger LOG = System.getLogger("outbox");

  private final MarkBatches batches;
  private final LeaseRenewal renewal;
  private final TimeSource time;
  private final Alarm alarm;
  private final ThreadFactory threads = Threads.daemon("outbox-status");
  private final Backoff backoff = Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(2));
  private final BlockingQueue<Mark> backlog = new LinkedBlockingQueue<>(BACKLOG);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean idle;
  private volatile boolean urgent;
  private volatile boolean closing;
  private volatile int kept; // how many are in the two lines below

  // Confined to the writer's thread, of which there is one at a time.
  private final Deque<Mark> fresh = new ArrayDeque<>();
  private final Deque<Mark> refused = new ArrayDeque<>();
  private long lastFlush;
  private long retryAt;
  private int failures; // 1: some were written; more: so often nothing was

  StatusWriter(MarkBatches batches, LeaseRenewal renewal, TimeSource time) {
    this.batches = batches;
    this.renewal = renewal;
    this.time = time;
    this.alarm = time.newAlarm();
    this.lastFlush = time.nanoTime() - LINGER.toNanos();
  }

  void start() {
    threads.newThread(this).start();
  }

  /** Hands a mark over; waits while the backlog is full. */
  void add(Mark mark) {
    boolean interrupted = false;
    while (true) {
      try {
        backlog.put(mark);
        break;
      } catch (InterruptedException e) {
        interrupted = true; // A mark is never thrown away; the interrupt is kept for the caller.
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    announce(mark);
  }

  /** Hands a mark over unless the backlog is full. */
  boolean offer(Mark mark) {
    boolean taken = backlog.offer(mark);
    if (taken) {
      announce(mark);
    }
    return taken;
  }

  // The writer says that it is idle before it looks whether the backlog is empty, and the mark is
  // in the backlog before this looks whether the writer is idle: one of the two sees the other.
  private void announce(Mark mark) {
    boolean hurry = mark.isUrgent();
    if (hurry) {
      urgent = true;
    }
    if (hurry || idle || backlog.size() == BATCH) {
      idle = false;
      alarm.ring();
    }
  }

  /** Has the thread end once nothing is in hand any more; until then it renews and writes. */
  void close() {
    closing = true;
    alarm.ring();
  }

  /** Opens when the thread has ended. */
  CountDownLatch ended() {
    return ended;
  }

  /** How many marks were handed over and are not written. */
  int backlog() {
    return backlog.size() + kept;
  }

  @Override
  public void run() {
    boolean replace = true;
    try {
      while (!(closing && renewal.hasNothingInHand() && backlog() == 0)) {
        try {
          turn();
        } catch (RuntimeException e) {
          LOG.log(ERROR, "outbox status writer failed and goes on", e);
        }
      }
      replace = false;
    } catch (InterruptedException e) {
      replace = false;
      Thread.currentThread().interrupt();
      LOG.log(WARNING, "outbox status writer interrupted; unwritten marks=" + backlog());
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
    renewal.renewIfDue(this::giveBack);
  }

  private void giveBack(Mark mark) {
    refused.add(mark);
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

  /**
   * New marks first: those refused before may be refused for ever and must not stand in the way.
   */
  private void flush() {
    urgent = false;
    boolean retry = mayRetry();
    refused.addAll(fresh); // only after an error ended the thread
    fresh.clear();
    if (refused.size() < BACKLOG) {
      backlog.drainTo(fresh, BATCH);
    }
    kept = fresh.size() + refused.size();
    boolean none = fresh.isEmpty();
    boolean wrote = batches.writeSome(fresh);
    boolean failed = !fresh.isEmpty();
    if (retry && (none || wrote)) {
      wrote |= batches.writeSome(refused);
      failed |= !refused.isEmpty();
    }
    refused.addAll(fresh);
    fresh.clear();
    lastFlush = time.nanoTime();
    kept = refused.size();
    if (refused.isEmpty()) {
      failures = 0;
    } else if (failed) {
      warnOnce();
      backOff(wrote ? 1 : failures + 1);
    }
    if (!backlog.isEmpty()) {
      alarm.ring();
    }
  }

  private void backOff(int failuresNow) {
    failures = failuresNow;
    retryAt = time.nanoTime() + backoff.delay(failuresNow).toNanos();
  }

  private void warnOnce() {
    if (failures == 0) {
      LOG.log(
          WARNING,
          "outbox marks not written, trying again; count=" + refused.size(),
          batches.trouble());
    }
  }

  private Duration until(long moment) {
    return Duration.ofNanos(Math.max(0, moment - time.nanoTime()));
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
