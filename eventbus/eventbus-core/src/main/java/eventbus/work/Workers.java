package eventbus.work;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

import eventbus.EventBusException;
import eventbus.table.EventStore;
import holdfast.lease.LeaseTimes;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Threads;
import holdfast.log.LibraryLogger;
import holdfast.time.Alarm;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run handlers, one event at a time each. Safe for use by many threads.
 *
 * <p>Before handlers run, more of the claim must be left than one heartbeat and the drift of the
 * clocks; otherwise it is renewed with its token first, and if that fails or touches nothing, the
 * event is dropped: another worker has it, or will.
 */
final class Workers {
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final System.Logger LOG = LibraryLogger.of("eventbus");

  private final EventStore store;
  private final WorkQueue queue;
  private final Hand hand;
  private final Attempt attempt;
  private final Announcer announcer;
  private final LeaseTimes lease;
  private final int count;
  private final TimeSource time;
  private final Consumer<Mark> writer;
  private final Runnable taken;
  private final ThreadFactory threads = Threads.daemon("eventbus-worker");
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();
  private final Alarm idle;
  private volatile boolean interrupting;

  Workers(
      EventStore store,
      WorkQueue queue,
      Hand hand,
      Attempt attempt,
      Announcer announcer,
      WorkSettings settings,
      TimeSource time,
      Consumer<Mark> writer,
      Runnable taken) {
    this.store = store;
    this.queue = queue;
    this.hand = hand;
    this.attempt = attempt;
    this.announcer = announcer;
    this.lease = settings.lease();
    this.count = settings.workers();
    this.time = time;
    this.writer = writer;
    this.taken = taken;
    this.idle = time.newAlarm();
  }

  void start() {
    for (int i = 0; i < count; i++) {
      threads.newThread(this::work).start();
    }
  }

  /** Waits until no handler runs. */
  boolean awaitIdle(Deadline deadline) throws InterruptedException {
    while (queue.running() > 0) {
      if (deadline.isOver()) {
        return false;
      }
      Duration left = deadline.remaining();
      idle.await(left.compareTo(LOOK) < 0 ? left : LOOK);
    }
    return true;
  }

  /** Interrupts the handlers that still run; none starts from now on. */
  int interrupt() {
    interrupting = true;
    int interrupted = 0;
    for (Thread thread : running) {
      thread.interrupt();
      interrupted++;
    }
    return interrupted;
  }

  private void work() {
    boolean orderly = false;
    try {
      while (!queue.isStopped()) {
        workOnce();
      }
      orderly = true;
    } finally {
      if (!orderly && !queue.isStopped()) { // An error ends the thread, not the work.
        threads.newThread(this::work).start();
      }
    }
  }

  private void workOnce() {
    try {
      Delivery next = queue.take();
      if (next != null) {
        process(next);
      }
    } catch (InterruptedException e) {
      // Left over from a handler, or the queue was stopped: look again.
      LOG.log(DEBUG, "eventbus worker interrupted while it waited");
    }
  }

  private void process(Delivery delivery) {
    try {
      taken.run();
      if (delivery.begin()) { // else given back or lost while it waited
        run(delivery);
      }
    } finally {
      queue.finished();
      if (queue.isStopped()) {
        idle.ring();
      }
    }
  }

  private void run(Delivery delivery) {
    boolean handedOver = false;
    @Nullable VirtualMachineError fatal = null;
    try {
      if (mayStart(delivery)) {
        fatal = handle(delivery);
        handedOver = true;
      }
    } catch (RuntimeException e) {
      LOG.log(ERROR, "eventbus worker failed on " + delivery, e);
    } finally {
      if (!handedOver) { // also after an error: what nobody will mark must not stay in hand
        hand.release(delivery);
      }
    }
    if (fatal != null) {
      throw fatal;
    }
  }

  private boolean mayStart(Delivery delivery) {
    long sentAt = time.nanoTime();
    boolean suspect = delivery.isSuspect();
    if (delivery.left(sentAt) > lease.startMargin().toNanos() && !suspect) {
      return true;
    }
    try {
      boolean held = store.start(delivery.event().claim(), lease.length(), suspect);
      if (held) {
        delivery.extendTo(sentAt + lease.length().toNanos());
        if (suspect) {
          delivery.countStart();
        }
      }
      return held;
    } catch (EventBusException e) {
      announcer.outage().failedOnce("start check", e);
      return false;
    }
  }

  /** Runs the handlers and hands the outcome over; returns an error that must end the thread. */
  private @Nullable VirtualMachineError handle(Delivery delivery) {
    long startedAt = time.nanoTime();
    Attempt.Result result;
    running.add(Thread.currentThread());
    try {
      result =
          interrupting
              ? new Attempt.Result(Outcome.GivenBack.UNTOUCHED, null)
              : attempt.run(delivery.event(), () -> interrupting);
    } finally {
      running.remove(Thread.currentThread());
      Thread.interrupted(); // A handler that leaves its interrupt behind must not end the worker.
    }
    long nanos = time.nanoTime() - startedAt;
    announcer.counters().handled.increment();
    announcer.counters().handlingNanos.add(nanos);
    writer.accept(new Mark(delivery, result.outcome(), nanos));
    return result.fatal();
  }
}
