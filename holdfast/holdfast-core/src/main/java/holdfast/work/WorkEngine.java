package holdfast.work;

import static holdfast.work.LeaseRenewal.WAIT_BESIDE_OTHERS;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import holdfast.lifecycle.CloseReport;
import holdfast.lifecycle.Deadline;
import holdfast.log.LibraryLogger;
import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a node, the queue before them and the writer of outcomes behind them. Safe for use
 * by many threads.
 *
 * @param <T> what the library claims
 */
public final class WorkEngine<T extends WorkItem> {
  private final WorkSettings settings;
  private final WorkHandler<T> handler;
  private final WorkListener<T> listener;
  private final InFlight<T> inFlight;
  private final Nodes nodes;
  private final Outage outage;
  private final TimeSource time;
  private final WorkQueue<T> queue;
  private final OutcomeWriter<T> writer;
  private final Prefetch prefetch;
  private final Workers<T> workers;
  private final @Nullable RecoveredTypes<T> recovered;
  private final Map<Object, T> releasedOnClose = new ConcurrentHashMap<>(); // by the event's id
  private final AtomicInteger unreleased = new AtomicInteger();
  private volatile Consumer<Duration> onDue = delay -> {};
  private volatile Runnable onReleased = () -> {};
  private volatile boolean closing;

  /**
   * Creates an engine; {@link #start} starts it.
   *
   * @param settings how it works
   * @param store the table
   * @param handler runs the application's handlers
   * @param listener the library's counters and log lines
   * @param inFlight the events in flight
   * @param nodes the nodes that share the table
   * @param outage the state of the database, for all threads of the node
   * @param time the clock
   */
  public WorkEngine(
      WorkSettings settings,
      WorkStore<T> store,
      WorkHandler<T> handler,
      WorkListener<T> listener,
      InFlight<T> inFlight,
      Nodes nodes,
      Outage outage,
      TimeSource time) {
    this.settings = settings;
    this.handler = handler;
    this.listener = listener;
    this.inFlight = inFlight;
    this.nodes = nodes;
    this.outage = outage;
    this.time = time;
    this.queue =
        new WorkQueue<>(
            settings.committedCapacity(), settings.claimedCapacity(), settings.concurrency());
    this.prefetch = new Prefetch();
    this.recovered =
        settings.retries().retryFor() == null ? null : new RecoveredTypes<>(store, outage, time);
    String library = settings.library();
    this.writer =
        new OutcomeWriter<>(
            library,
            store,
            this::recorded,
            new LeaseRenewal<>(
                outage, settings.lease(), store, inFlight, nodes, queue::removeLeft, time),
            outage,
            time);
    this.workers =
        new Workers<>(
            settings,
            store,
            new Attempt<>(library, settings.handlerName(), handler, settings.retries(), time),
            listener,
            prefetch,
            queue,
            inFlight,
            writer,
            outage,
            time);
    nodes.connect(outage, this::pauseChanged);
  }

  /** Starts the threads; to be called once. */
  public void start() {
    writer.start();
    workers.start();
    String library = settings.library();
    System.Logger log = LibraryLogger.of(library);
    log.log(INFO, library + " started workers=" + settings.workers());
    for (String type : settings.typesWithSettings()) {
      if (!handler.handles(type)) {
        String text =
            " has settings for a type without a %s on this node: check its spelling type=";
        log.log(WARNING, library + text.formatted(settings.handlerName()) + type);
      }
    }
  }

  /** Creates the loop that claims events for this engine, which wakes it when events are due. */
  public ClaimLoop claimLoop(ClaimLoop.Settings loop, ClaimLoop.Claims claims) {
    ClaimLoop.Claims all = recovered == null ? claims : withRecovered(recovered, claims);
    ClaimLoop made =
        new ClaimLoop(
            loop,
            all,
            workers::count,
            workers::promptCount,
            prefetch,
            queue,
            inFlight,
            nodes,
            outage,
            time);
    onDue(made::wakeIn);
    return made;
  }

  private ClaimLoop.Claims withRecovered(RecoveredTypes<?> types, ClaimLoop.Claims claims) {
    return (limit, bytes, below) -> {
      types.retryNow().ifPresent(this::due);
      return claims.claim(limit, bytes, below);
    };
  }

  /** Sets what is called when an outcome makes an event due, with the time until then. */
  public void onDue(Consumer<Duration> consumer) {
    onDue = consumer;
  }

  /** Sets what is called when other nodes can take an event that this one has released. */
  public void onReleased(Runnable listener) {
    onReleased = listener;
  }

  /** Reports that an event will be due in the table, without an outcome that tells so. */
  public void due(Duration delay) {
    onDue.accept(delay);
  }

  /**
   * Queues an event that was just committed.
   *
   * @return false if the queue is full or stopped, its type paused, or too many outcomes wait to be
   *     recorded; it is released then
   */
  public boolean offerCommitted(T item) {
    inFlight.add(item);
    boolean queued =
        !nodes.isPaused(item.type())
            && !writer.isOverfull()
            && inFlight.hasRoomFor(item)
            && queue.offerCommitted(item);
    return queued || refuse(item);
  }

  /**
   * Queues an event that was claimed from the table.
   *
   * @return false if the queue is full or stopped, or its type paused; it is released then
   */
  public boolean offer(T item) {
    inFlight.add(item);
    boolean queued = !nodes.isPaused(item.type()) && queue.offerClaimed(item);
    return queued || refuse(item);
  }

  /** Releases what waits here and is paused; handlers that run finish. Claims what is resumed. */
  private void pauseChanged() {
    for (T item : inFlight.all()) {
      if (nodes.isPaused(item.type()) && item.leave()) {
        writer.addNow(Ended.released(item));
      }
    }
    queue.removeLeft();
    due(Duration.ZERO);
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
    T item = ended.item();
    inFlight.remove(item);
    if (ended.outcome() instanceof Outcome.Released) {
      if (closing) {
        releasedOnClose.put(item.id(), item);
      }
      if (!nodes.isPaused(item.type())) {
        onReleased.run();
      }
    }
    if (stale) {
      listener.stale(item);
    } else {
      listener.recorded(ended);
      if (recovered != null && recovered.ended(ended)) {
        onDue.accept(Duration.ZERO);
      }
    }
    ended.dueIn().ifPresent(onDue);
    if (settings.isLimited(item.type())) {
      due(Duration.ZERO); // the claim loop may have left events of its type in the table
    }
  }

  /**
   * Returns how many events may be claimed of each type that has a limit and is in flight here, or
   * is among those given; none of types that are paused.
   */
  public Map<String, Integer> roomOfLimitedTypes(Collection<String> types) {
    Map<String, Integer> rooms = new HashMap<>();
    Stream.concat(types.stream(), inFlight.types().stream())
        .filter(settings::isLimited)
        .forEach(type -> rooms.put(type, room(type)));
    nodes.pausedTypes().forEach(type -> rooms.put(type, 0));
    return rooms;
  }

  private int room(String type) {
    return Math.max(0, settings.concurrency().applyAsInt(type) - inFlight.count(type));
  }

  /** Returns the events in flight. */
  public InFlight<T> inFlight() {
    return inFlight;
  }

  /** Returns how long the event that is in flight for longest has been; zero if none is. */
  public Duration oldestInFlight() {
    return oldest(item -> true);
  }

  /** Returns how long the event that waits for a worker for longest has; zero if none does. */
  public Duration oldestWaiting() {
    return oldest(WorkItem::isWaiting);
  }

  private Duration oldest(Predicate<WorkItem> which) {
    long now = time.nanoTime();
    long nanos =
        inFlight.all().stream().filter(which).mapToLong(item -> item.age(now)).max().orElse(0);
    return Duration.ofNanos(Math.max(0, nanos));
  }

  /** Returns how long the handler that runs longest has run. */
  public Duration longestRunning() {
    return workers.longestRunning();
  }

  /** Returns whether every worker has a handler that hangs: it runs for a minute and more. */
  public boolean allWorkersHang() {
    return workers.allHang();
  }

  /** Returns whether a type has a handler on this node. */
  public boolean handles(String type) {
    return handler.handles(type);
  }

  /** Returns whether no node may handle events of a type at present. */
  public boolean isPaused(String type) {
    return nodes.isPaused(type);
  }

  /** Returns the nodes that share the table. */
  public Nodes nodes() {
    return nodes;
  }

  /**
   * Returns how many events that are about to be committed have room, by their number; none while
   * many outcomes wait to be recorded: asynchronous handlers do not wait for that. While there are
   * other nodes, none that would wait here for longer than a second.
   */
  public int committedRoom() {
    if (writer.isOverfull()) {
      return 0;
    }
    int soon =
        nodes.hasOthers()
            ? prefetch.eventsWithin(WAIT_BESIDE_OTHERS, workers.promptCount())
            : Integer.MAX_VALUE;
    return queue.committedRoom((int) Math.min(Integer.MAX_VALUE, (long) workers.count() + soon));
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
      queue.stop().forEach(this::refuse);
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
    queue.stop().forEach(this::refuse);
    workers.interrupt();
    writer.close();
    try {
      deadline.await(writer.ended());
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return report();
  }

  /** What has become of what was released on close: it is in the table again, or unrecorded. */
  private CloseReport report() {
    int waiting = (int) releasedOnClose.values().stream().filter(inFlight::contains).count();
    int unwritten = Math.max(waiting, writer.backlog()) + unreleased.get();
    return new CloseReport(releasedOnClose.size() - waiting, workers.running(), unwritten);
  }
}
