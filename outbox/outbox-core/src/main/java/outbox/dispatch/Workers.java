package outbox.dispatch;

import static java.lang.System.Logger.Level.ERROR;

import holdfast.jdbc.TransactionCall;
import holdfast.jdbc.Transactions;
import holdfast.lease.MarkWriter;
import holdfast.lifecycle.Deadline;
import holdfast.lifecycle.Threads;
import holdfast.log.LibraryLogger;
import holdfast.time.Alarm;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;
import outbox.model.Held;
import outbox.spi.LeaseStore;

/**
 * The threads that run listeners, one event at a time each. Safe for use by many threads.
 *
 * <p>Before listeners run, more of the lease must be left than one renewal period and the drift of
 * the clocks; otherwise the lease is renewed with its token first, and if that fails or touches
 * nothing, the event is dropped: another node has it, or will.
 */
final class Workers {
  private static final System.Logger LOG = LibraryLogger.of("outbox");

  private final Node node;
  private final Attempt attempt;
  private final int count;
  private final ThreadFactory threads = Threads.daemon("outbox-worker");
  private final Set<Thread> running = ConcurrentHashMap.newKeySet();
  private final Alarm idle;
  private volatile boolean awaited;
  private volatile boolean stopping;

  Workers(Node node, Attempt attempt, int count) {
    this.node = node;
    this.attempt = attempt;
    this.count = count;
    this.idle = node.time().newAlarm();
  }

  void start() {
    for (int i = 0; i < count; i++) {
      threads.newThread(this::work).start();
    }
  }

  /** Waits until the queues are empty and no listener runs. */
  boolean awaitIdle(Deadline deadline) throws InterruptedException {
    awaited = true;
    while (node.queues().unfinished() > 0) {
      if (deadline.isOver()) {
        return false;
      }
      Duration left = deadline.remaining();
      idle.await(left.compareTo(MarkWriter.LINGER) < 0 ? left : MarkWriter.LINGER);
    }
    return true;
  }

  /** Interrupts the listeners that still run; none starts from now on. */
  int interrupt() {
    stopping = true;
    int interrupted = 0;
    for (Thread thread : running) {
      thread.interrupt();
      interrupted++;
    }
    return interrupted;
  }

  private void work() {
    boolean stopped = false;
    try {
      while (!stopped) {
        stopped = !workOnce();
      }
    } finally {
      if (!stopped) { // An error of the virtual machine ends the thread, not the work.
        threads.newThread(this::work).start();
      }
    }
  }

  /** Delivers one event; false once the queues are stopped. */
  private boolean workOnce() {
    try {
      Delivery next = node.queues().take();
      if (next != null) {
        process(next);
      }
      return next != null;
    } catch (InterruptedException e) {
      // Left over from a listener, or the close that follows stops the queues: look again.
      return true;
    }
  }

  private void process(Delivery delivery) {
    try {
      node.recordDepths();
      if (delivery.begin()) { // else given back or lost while it waited
        run(delivery);
      }
    } finally {
      node.queues().finished();
      if (awaited) {
        idle.ring();
      }
    }
  }

  private void run(Delivery delivery) {
    boolean handedOver = false;
    @Nullable VirtualMachineError fatal = null;
    try {
      if (mustWaitForOthers(delivery)) {
        handedOver = giveBackUnlessParked(delivery);
      } else if (mayStart(delivery)) {
        fatal = deliver(delivery);
        handedOver = true;
      }
    } catch (RuntimeException e) {
      LOG.log(ERROR, "outbox worker failed on eventId=" + delivery.eventId(), e);
    } finally {
      if (!handedOver) { // also after an error: what nobody will mark must not stay reserved
        node.inHand().release(delivery);
      }
    }
    if (fatal != null) {
      throw fatal;
    }
  }

  /** Whether the turn of an ordered event has not come; it never waits in a worker. */
  private boolean mustWaitForOthers(Delivery delivery) {
    LeaseStore leases = node.leases();
    return leases != null
        && delivery.held() != null
        && delivery.mayHaveToWaitForOthers()
        && !asked(conn -> leases.isHead(conn, delivery.eventId()));
  }

  /** Sets it aside until its turn; whether it is given back instead, to be looked at again. */
  private boolean giveBackUnlessParked(Delivery delivery) {
    LeaseStore leases = node.leases();
    Held held = delivery.held();
    if (leases != null && held != null && parked(leases, held)) {
      node.log().released(delivery.event());
      return false;
    }
    node.writer().add(new Mark(delivery, new Outcome.GivenBack(Duration.ZERO)));
    return true;
  }

  private boolean parked(LeaseStore leases, Held held) {
    return asked(node.claiming(), conn -> leases.park(conn, held));
  }

  private boolean mayStart(Delivery delivery) {
    Held held = delivery.held();
    LeaseStore leases = node.leases();
    if (held == null || leases == null) {
      return true;
    }
    long margin = node.lease().startMargin().toNanos();
    long sentAt = node.time().nanoTime();
    if (delivery.left(sentAt) > margin && !delivery.isSuspect()) {
      return true;
    }
    boolean stillHeld = asked(conn -> leases.start(conn, held, node.terms(), delivery.isSuspect()));
    if (stillHeld) {
      delivery.extendTo(sentAt + node.lease().length().toNanos());
    }
    return stillHeld;
  }

  private boolean asked(TransactionCall<Boolean, RuntimeException> question) {
    return asked(node.transactions(), question);
  }

  private boolean asked(
      Transactions transactions, TransactionCall<Boolean, RuntimeException> question) {
    try {
      return transactions.call(question);
    } catch (SQLException | OutboxException e) {
      node.log().outage().failedOnce("start check", e);
      return false;
    }
  }

  /** Runs the listeners and hands the outcome over; returns an error that must end the thread. */
  private @Nullable VirtualMachineError deliver(Delivery delivery) {
    long startedAt = node.time().nanoTime();
    Outcome outcome;
    @Nullable VirtualMachineError fatal = null;
    running.add(Thread.currentThread());
    try {
      outcome =
          stopping ? new Outcome.GivenBack(Duration.ZERO) : attempt.run(delivery, () -> stopping);
    } catch (Attempt.FatalFailure e) {
      outcome = e.outcome();
      fatal = e.error();
    } finally {
      running.remove(Thread.currentThread());
      Thread.interrupted(); // A listener that leaves its interrupt behind must not end the worker.
    }
    node.metrics().recordDispatchNanos(node.time().nanoTime() - startedAt);
    node.writer().add(new Mark(delivery, outcome));
    return fatal;
  }
}
