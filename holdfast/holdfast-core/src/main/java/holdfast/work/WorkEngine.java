package holdfast.work;

import holdfast.lifecycle.CloseReport;
import holdfast.lifecycle.Deadline;
import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The workers of a node, the queue before them and the writer of outcomes behind them. Safe for use
 * by many threads.
 *
 * @param <T> what the library claims
 */
public final class WorkEngine<T extends WorkItem> {
  private final WorkSettings settings;
  private final WorkListener<T> listener;
  private final InFlight<T> inFlight;
  private final Outage outage;
  private final TimeSource time;
  private final WorkQueue<T> queue;
  private final OutcomeWriter<T> writer;
  private final Prefetch prefetch;
  private final Workers<T> workers;
  private final Map<Object, T> releasedOnClose = new ConcurrentHashMap<>(); // by the event's id
  private final AtomicInteger unreleased = new AtomicInteger();
  private volatile Consumer<Duration> onDue = delay -> {};
  private volatile boolean closing;

  /**
   * Creates an engine; {@link #start} starts it.
   *
   * @param settings how it works
   * @param store the table
   * @param handler runs the application's handlers
   * @param listener the library's counters and log lines
   * @param inFlight the events in flight
   * @param outage the state of the database, for all threads of the node
   * @param time the clock
   */
  public WorkEngine(
      WorkSettings settings,
      WorkStore<T> store,
      WorkHandler<T> handler,
      WorkListener<T> listener,
      InFlight<T> inFlight,
      Outage outage,
      TimeSource time) {
    this.settings = settings;
    this.listener = listener;
    this.inFlight = inFlight;
    this.outage = outage;
    this.time = time;
    this.queue = new WorkQueue<>(settings.committedCapacity(), settings.claimedCapacity());
    this.prefetch = new Prefetch(settings.workers());
    String library = settings.library();
    this.writer =
        new OutcomeWriter<>(
            library,
            new OutcomeBatches<>(library, store, this::recorded, outage, time),
            new LeaseRenewal<>(outage, settings.lease(), store, inFlight, time),
            time);
    this.workers =
        new Workers<>(
            settings,
            store,
            new Attempt<>(library, handler, settings.retries(), time),
            listener,
            prefetch,
            queue,
            inFlight,
            writer,
            outage,
            time);
  }

  /** Starts the threads; to be called once. */
  public void start() {
    writer.start();
    workers.start();
  }

  /** Creates the loop that claims events for this engine, which wakes it when events are due. */
  public ClaimLoop claimLoop(ClaimLoop.Settings loop, ClaimLoop.Claims claims) {
    ClaimLoop made =
        new ClaimLoop(loop, claims, workers::count, prefetch, queue, inFlight, outage, time);
    onDue(made::wakeIn);
    return made;
  }

  /** Sets what is called when an outcome makes an event due, with the time until then. */
  public void onDue(Consumer<Duration> consumer) {
    onDue = consumer;
  }

  /** Reports that an event will be due in the table, without an outcome that tells so. */
  public void due(Duration delay) {
    onDue.accept(delay);
  }

  /**
   * Queues an event that was just committed.
   *
   * @return false if the queue is full or stopped; it is released then
   */
  public boolean offerCommitted(T item) {
    inFlight.add(item);
    boolean queued = inFlight.hasRoomFor(item) && queue.offerCommitted(item);
    return queued || refuse(item);
  }

  /**
   * Queues an event that was claimed from the table.
   *
   * @return false if the queue is full or stopped; it is released then
   */
  public boolean offer(T item) {
    inFlight.add(item);
    return queue.offerClaimed(item) || refuse(item);
  }

  /** Releases an event that was not run; its lease has to expire if that cannot be recorded. */
  private boolean refuse(T item) {
    if (!item.leave()) {
      return false;
    }
    // A publisher, or one who closes, does not wait for room among outcomes that pile up.
    if ((closing || item.isLeased()) && writer.offer(Ended.released(item))) {
      if (closing) {
        releasedOnClose.put(item.id(), item);
      }
    } else {
      inFlight.remove(item);
      if (closing) {
        unreleased.incrementAndGet();
      }
    }
    return false;
  }

  /** Records an outcome for an event that is not queued. */
  public void end(T item, Outcome outcome) {
    inFlight.add(item);
    if (item.leave()) {
      writer.add(new Ended<>(item, outcome, 0));
    }
  }

  private void recorded(Ended<T> ended, boolean stale) {
    inFlight.remove(ended.item());
    if (stale) {
      listener.stale(ended.item());
    } else {
      listener.recorded(ended);
    }
    ended.dueIn().ifPresent(onDue);
  }

  /** Returns the events in flight. */
  public InFlight<T> inFlight() {
    return inFlight;
  }

  /** Returns how long the handler that runs longest has run. */
  public Duration longestRunning() {
    return workers.longestRunning();
  }

  /** Returns whether every worker has a handler that hangs: it runs for a minute and more. */
  public boolean allWorkersHang() {
    return workers.allHang();
  }

  /** Returns how many events that are about to be committed have room, by their number. */
  public int committedRoom() {
    return queue.committedRoom();
  }

  /** Returns how many events wait that were just committed. */
  public int committedSize() {
    return queue.committedSize();
  }

  /** Returns how many events wait that were claimed from the table. */
  public int claimedSize() {
    return queue.claimedSize();
  }

  /** Returns how many events claimed from the table have room. */
  public int claimedRoom() {
    return queue.claimedRoom();
  }

  /**
   * Stops the workers; to be called once, after {@link #start}. Lets handlers finish within the
   * time given, releases what has not begun, and interrupts the handlers that still run.
   *
   * @param deadline the time for all of it
   * @param stopClaims is called when no more events may be claimed
   * @return what was left behind
   */
  public CloseReport close(Deadline deadline, Runnable stopClaims) {
    closing = true;
    if (!settings.drains()) {
      queue.stop(2 * settings.workers()).forEach(this::refuse);
    }
    stopClaims.run();
    boolean interrupted = false;
    try {
      // The last quarter is for recording: what is not released in time waits for its lease to end.
      Duration most = deadline.remaining().multipliedBy(3).dividedBy(4);
      workers.awaitIdle(Deadline.after(most, time));
    } catch (InterruptedException e) {
      interrupted = true;
    }
    queue.stop(2 * settings.workers()).forEach(this::refuse);
    int running = workers.interrupt();
    writer.close();
    try {
      deadline.await(writer.ended());
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return report(running);
  }

  /** What has become of what was released on close: it is in the table again, or unrecorded. */
  private CloseReport report(int stillRunning) {
    int waiting = (int) releasedOnClose.values().stream().filter(inFlight::contains).count();
    int unwritten = Math.max(waiting, writer.backlog()) + unreleased.get();
    return new CloseReport(releasedOnClose.size() - waiting, stillRunning, unwritten);
  }
}
