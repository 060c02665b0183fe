package eventlog.send;

import eventlog.LossReason;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Threads;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Events that failed and are tried again after a while: when their time has come, they go back to
 * the main queue. Safe for use by many threads.
 */
public final class Retries {
  private static final Duration LONG = Duration.ofDays(1);

  /** What became of an event that was to be tried again. */
  enum Outcome {
    SCHEDULED,
    FULL,
    STOPPED
  }

  // Measured from the start, so that readings of the clock can be compared.
  private record Due(long atNanos, long number, InFlightEvent event) implements Comparable<Due> {
    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private final EventQueue queue;
  private final Overflow overflow;
  private final EventLogLedger ledger;
  private final int capacity;
  private final ByteBudget budget;
  private final TimeSource time;
  private final long startedAt;
  private final Alarm alarm;
  private final Thread thread;

  // Guarded by this object's lock, never held while an event is handed on.
  private final PriorityQueue<Due> waiting = new PriorityQueue<>();
  private long number;
  private boolean stopped;
  private int handingOn;

  /**
   * Nothing to try again yet; not started.
   *
   * @param queue where events go back to
   * @param overflow where they go if there is no room
   * @param capacity how many may wait
   * @param budget how many bytes of them, together with those in the queue
   * @param ledger the ledger; also marks the thread as the logger's own
   * @param time the clock
   */
  public Retries(
      EventQueue queue,
      Overflow overflow,
      int capacity,
      ByteBudget budget,
      EventLogLedger ledger,
      TimeSource time) {
    this.queue = queue;
    this.overflow = overflow;
    this.ledger = ledger;
    this.capacity = capacity;
    this.budget = budget;
    this.time = time;
    this.startedAt = time.nanoTime();
    this.alarm = time.newAlarm();
    this.thread =
        Threads.daemon("eventlog-retry")
            .newThread(
                () -> {
                  ledger.enterOwnWork();
                  run();
                });
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /** How many events wait to be tried again. */
  public synchronized int size() {
    return waiting.size() + handingOn;
  }

  Outcome schedule(InFlightEvent event, Duration delay) {
    synchronized (this) {
      if (stopped) {
        return Outcome.STOPPED;
      }
      if (size() >= capacity || !budget.tryTake(event.bytes())) {
        return Outcome.FULL;
      }
      waiting.add(new Due(now() + delay.toNanos(), number++, event));
    }
    alarm.ring();
    return Outcome.SCHEDULED;
  }

  /** Stops for good; gives the events that were still waiting. */
  public List<InFlightEvent> cancel() {
    List<InFlightEvent> left;
    synchronized (this) {
      stopped = true;
      left = new ArrayList<>(waiting.stream().sorted().map(Due::event).toList());
      waiting.clear();
      left.forEach(event -> budget.release(event.bytes()));
    }
    alarm.ring();
    return left;
  }

  /**
   * Waits for the thread to end after it was stopped.
   *
   * @param deadline how long to wait
   * @return whether it has ended
   * @throws InterruptedException if the caller is interrupted
   */
  public boolean awaitEnd(Deadline deadline) throws InterruptedException {
    return deadline.join(thread);
  }

  private void run() {
    while (!isStopped()) {
      InFlightEvent due = next();
      if (due == null) {
        awaitNext();
      } else {
        handOn(due);
      }
    }
  }

  private void awaitNext() {
    try {
      alarm.await(untilNext());
    } catch (InterruptedException e) {
      // A stray: only stopping ends this thread.
    }
  }

  private void handOn(InFlightEvent due) {
    ledger.moving(1);
    try {
      if (!queue.putBack(due)) {
        overflow.take(due, LossReason.RETRY_REQUEUE_FAILED);
      }
    } finally {
      synchronized (this) {
        handingOn--;
      }
      budget.release(due.bytes());
      ledger.moved(1);
    }
  }

  private synchronized boolean isStopped() {
    return stopped;
  }

  private synchronized @Nullable InFlightEvent next() {
    Due first = waiting.peek();
    if (first == null || first.atNanos > now()) {
      return null;
    }
    waiting.poll();
    handingOn++;
    return first.event;
  }

  private synchronized Duration untilNext() {
    Due first = waiting.peek();
    return first == null ? LONG : Duration.ofNanos(Math.max(0, first.atNanos - now()));
  }

  private long now() {
    return time.nanoTime() - startedAt;
  }
}
