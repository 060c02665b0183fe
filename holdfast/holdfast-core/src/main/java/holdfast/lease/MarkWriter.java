package holdfast.lease;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import holdfast.lifecycle.Threads;
import holdfast.log.LibraryLogger;
import holdfast.log.LineLimit;
import holdfast.log.Outage;
import holdfast.retry.Backoff;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;

/**
 * The one thread of a node that writes outcomes and renews leases; being one, it cannot deadlock
 * with itself over rows that both touch.
 *
 * <p>A mark that comes after a pause is written at once; while they come fast, they are written
 * together, every 20 milliseconds or 500 marks. A write that fails is tried again until it
 * succeeds, beside newer ones; it is never taken for a failure of the work. The backlog is bounded:
 * workers wait when it is full. Safe for use by many threads.
 *
 * @param <M> an outcome still to be written
 * @param <L> what the node claims
 */
public final class MarkWriter<M, L extends Lease> {
  /** How long marks wait for company; shorter, and less is done again after a crash. */
  public static final Duration LINGER = Duration.ofMillis(20);

  /** How many marks are written together at most: {@value}. */
  public static final int BATCH = 500;

  private static final int BACKLOG = 10_000;

  /**
   * Where marks go.
   *
   * @param <M> an outcome still to be written
   * @param <L> what the node claims
   */
  public interface Target<M, L> {

    /**
     * Writes marks, all or none.
     *
     * @param marks at least one; more than 500 only if they could not be written before
     * @throws Exception if none was written, or it is not known; they will come again
     */
    void write(List<M> marks) throws Exception;

    /** Is told that a mark is written. */
    void written(M mark);

    /** Whether the mark should not wait for company. */
    boolean isUrgent(M mark);

    /** The mark for something that has waited too long and is given back. */
    M givenBack(L lease);
  }

  private final System.Logger log;
  private final String room;
  private final Target<M, L> target;
  private final MarkBatches<M> batches;
  private final LeaseRenewal<L> renewal;
  private final TimeSource time;
  private final LineLimit crashes;
  private final Alarm alarm;
  private final ThreadFactory threads;
  private final Backoff backoff = Backoff.exponential(Duration.ofMillis(50), Duration.ofSeconds(2));
  private final BlockingQueue<M> backlog = new LinkedBlockingQueue<>(BACKLOG);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean idle;
  private volatile boolean urgent;
  private volatile boolean closing;
  private volatile int kept; // how many are in the two lines below

  // Confined to the writer's thread, of which there is one at a time.
  private final Deque<M> fresh = new ArrayDeque<>();
  private final Deque<M> refused = new ArrayDeque<>();
  private long lastFlush;
  private long retryAt;
  private int failures; // 1: some were written; more: so often nothing was

  /**
   * A writer; {@link #start} starts it.
   *
   * @param room the room's word, for the log and the name of the thread
   * @param target where marks go
   * @param renewal what else the thread does
   * @param outage is told whether marks could be written
   * @param time the clock to wait by
   */
  public MarkWriter(
      String room, Target<M, L> target, LeaseRenewal<L> renewal, Outage outage, TimeSource time) {
    this.log = LibraryLogger.of(room);
    this.room = room;
    this.target = target;
    this.threads = Threads.daemon(room + "-status");
    this.batches = new MarkBatches<>(room, target, outage, time);
    this.renewal = renewal;
    this.time = time;
    this.crashes = new LineLimit(time);
    this.alarm = time.newAlarm();
    this.lastFlush = time.nanoTime() - LINGER.toNanos();
  }

  /** Starts the thread. */
  public void start() {
    threads.newThread(this::run).start();
  }

  /** Hands a mark over; waits while the backlog is full. */
  public void add(M mark) {
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
  public boolean offer(M mark) {
    boolean taken = backlog.offer(mark);
    if (taken) {
      announce(mark);
    }
    return taken;
  }

  // The writer says that it is idle before it looks whether the backlog is empty, and the mark is
  // there before this looks whether the writer is idle: one of the two sees the other.
  private void announce(M mark) {
    boolean hurry = target.isUrgent(mark);
    if (hurry) {
      urgent = true;
    }
    if (hurry || idle || backlog.size() == BATCH) {
      idle = false;
      alarm.ring();
    }
  }

  /** Has the thread end once nothing is in hand any more; until then it renews and writes. */
  public void close() {
    closing = true;
    alarm.ring();
  }

  /** Opens when the thread has ended. */
  public CountDownLatch ended() {
    return ended;
  }

  /** How many marks were handed over and are not written. */
  public int backlog() {
    return backlog.size() + kept;
  }

  private void run() {
    boolean replace = true;
    try {
      while (!(closing && renewal.hasNothingInHand() && backlog() == 0)) {
        try {
          turn();
        } catch (RuntimeException e) {
          long count = crashes.next();
          if (count > 0) {
            log.log(ERROR, room + " status writer failed and goes on failures=" + count, e);
          }
        }
      }
      replace = false;
    } catch (InterruptedException e) {
      replace = false;
      Thread.currentThread().interrupt();
      log.log(WARNING, room + " status writer interrupted; unwritten marks=" + backlog());
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

  private void giveBack(L lease) {
    refused.add(target.givenBack(lease));
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
      backOff(wrote ? 1 : failures + 1);
    }
    if (failed || refused.isEmpty()) {
      batches.report(refused.size(), wrote);
    }
    if (!backlog.isEmpty()) {
      alarm.ring();
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
