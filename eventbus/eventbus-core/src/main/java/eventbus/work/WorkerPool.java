package eventbus.work;

import static java.lang.System.Logger.Level.INFO;

import eventbus.EventRouter;
import eventbus.table.EventStore;
import holdfast.lease.LeaseRenewal;
import holdfast.lease.MarkWriter;
import holdfast.lifecycle.CloseReport;
import holdfast.lifecycle.Deadline;
import holdfast.log.LibraryLogger;
import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.List;

/**
 * The workers of one node: one claimer, some threads that run handlers, and one that writes
 * outcomes and keeps the claims. Safe for use by many threads.
 */
public final class WorkerPool {
  private static final System.Logger LOG = LibraryLogger.of("eventbus");

  private final WorkSettings settings;
  private final TimeSource time;
  private final WorkQueue queue = new WorkQueue();
  private final Hand hand;
  private final MarkWriter<Mark, Delivery> writer;
  private final Workers workers;
  private final Claimer claimer;
  private final GiveBacks giveBacks;

  /** A pool that is not started. */
  public WorkerPool(
      EventStore store,
      EventRouter router,
      WorkSettings settings,
      Announcer announcer,
      TimeSource time) {
    this.settings = settings;
    this.time = time;
    this.hand = new Hand(store, settings.lease());
    Outage outage = announcer.outage();
    LeaseRenewal<Delivery> renewal = new LeaseRenewal<>(outage, settings.lease(), hand, time);
    Outcomes outcomes = new Outcomes(store, hand, announcer, this::settled);
    this.writer = new MarkWriter<>("eventbus", outcomes, renewal, outage, time);
    this.giveBacks = new GiveBacks(writer, hand);
    this.claimer =
        new Claimer(store, router, settings, hand, queue, announcer, giveBacks::add, time);
    this.workers =
        new Workers(
            store,
            queue,
            hand,
            new Attempt(router, settings.retryPolicy()),
            announcer,
            settings,
            time,
            writer::add,
            claimer::taken);
  }

  /** Starts all threads; to be called once. */
  public void start() {
    writer.start();
    workers.start();
    claimer.start();
  }

  /** Looks for events now: some were published here. */
  public void wakeUp() {
    claimer.wakeUp();
  }

  /** Looks for events then: some will be due. */
  public void wakeIn(Duration delay) {
    claimer.wakeIn(delay);
  }

  /** How many events this node has in hand. */
  public int inHand() {
    return hand.all().size();
  }

  /**
   * Claims no more, gives back at once what does not run, waits for what does, and interrupts it
   * when most of the time is over; to be called once, after {@link #start}.
   *
   * @param timeout the time for all of it
   * @return what was left behind
   */
  public CloseReport close(Duration timeout) {
    Deadline deadline = Deadline.after(timeout, time);
    List<Delivery> left = queue.stop(settings.workers());
    claimer.close(deadline.remaining().dividedBy(2));
    left.removeIf(delivery -> !delivery.leave());
    left.forEach(giveBacks::add);
    boolean interrupted = false;
    try {
      // The last quarter is for writing: what is not given back in time waits for its claim to end.
      workers.awaitIdle(Deadline.after(deadline.remaining().multipliedBy(3).dividedBy(4), time));
    } catch (InterruptedException e) {
      interrupted = true;
    }
    int running = workers.interrupt();
    writer.close();
    try {
      deadline.await(writer.ended());
    } catch (InterruptedException e) {
      interrupted = true;
    }
    CloseReport report = giveBacks.report(running);
    LOG.log(INFO, "eventbus closed " + report);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return report;
  }

  private void settled(Mark mark) {
    if (mark.outcome() instanceof Outcome.Retry retry) {
      claimer.wakeIn(retry.delay());
    }
    if (mark.delivery().isSuspect() || settings.isLimited(mark.delivery().event().type())) {
      claimer.wakeUp();
    }
  }
}
