package eventbus.work;

import static java.lang.System.Logger.Level.INFO;

import eventbus.AsyncEventHandler;
import eventbus.BatchEventHandler;
import eventbus.Event;
import eventbus.EventHandler;
import eventbus.EventRouter;
import eventbus.RouteResult;
import eventbus.table.ClaimRequest;
import eventbus.table.ClaimResult;
import eventbus.table.EventStore;
import holdfast.lifecycle.CloseReport;
import holdfast.lifecycle.Deadline;
import holdfast.log.LibraryLogger;
import holdfast.retry.Backoff;
import holdfast.retry.NonRetryable;
import holdfast.retry.RetryAfter;
import holdfast.time.TimeSource;
import holdfast.work.ClaimLoop;
import holdfast.work.ClaimLoop.Claimed;
import holdfast.work.InFlight;
import holdfast.work.Nodes;
import holdfast.work.Outcome;
import holdfast.work.SuspectLimit;
import holdfast.work.WorkEngine;
import holdfast.work.WorkHandler;
import holdfast.work.WorkSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The workers of one node: an engine, and the loop that claims events for it. Safe for use by many
 * threads.
 */
public final class WorkerPool {
  private static final System.Logger LOG = LibraryLogger.of("eventbus");
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final int UNUSED = 1;
  private static final SuspectLimit NO_SUSPECTS = new SuspectLimit(0, 0);

  /** How long an event must be due, and how often to ask whether one is. */
  private static final Duration UNHANDLED_AFTER = Duration.ofMinutes(1);

  private final EventStore store;
  private final EventRouter router;
  private final NodeSettings settings;
  private final Announcer announcer;
  private final Nodes nodes;
  private final TimeSource time;
  private final InFlight<ClaimedEvent> inFlight;
  private final WorkEngine<ClaimedEvent> engine;
  private final ClaimLoop claims;
  private long askedAt; // confined to the claim loop

  /** A pool that is not started. */
  public WorkerPool(
      EventStore store,
      EventRouter router,
      NodeSettings settings,
      Announcer announcer,
      Nodes nodes,
      TimeSource time) {
    this.store = store;
    this.router = router;
    this.settings = settings;
    this.announcer = announcer;
    this.nodes = nodes;
    this.time = time;
    this.askedAt = time.nanoTime();
    this.inFlight = new InFlight<>(settings.maxInFlightBytes(), (item, current) -> {});
    this.engine =
        new WorkEngine<>(
            new WorkSettings(
                "eventbus",
                "handler",
                settings.workers(),
                UNUSED,
                Integer.MAX_VALUE,
                this::concurrency,
                settings.lease(),
                settings.timeouts(),
                settings.retries(),
                settings.typesWithSettings(),
                false),
            new ClaimedEvents(store, settings.name(), settings.abandonmentTimeout()),
            new Handlers(),
            announcer,
            inFlight,
            nodes,
            announcer.outage(),
            time);
    Duration ceiling = settings.pollInterval();
    Duration first = ceiling.compareTo(FIRST_PAUSE) < 0 ? ceiling : FIRST_PAUSE;
    this.claims =
        engine.claimLoop(
            new ClaimLoop.Settings(
                "eventbus-claimer",
                "claim",
                ceiling,
                Backoff.exponential(first, ceiling)::delay,
                () -> true,
                settings.batchSize()),
            this::claim);
  }

  /** Starts all threads; to be called once. */
  public void start() {
    engine.start();
    claims.start();
  }

  /** Looks for events now: some were published here. */
  public void wakeUp() {
    claims.wakeUp();
  }

  /** Looks for events then: some will be due. */
  public void wakeIn(Duration delay) {
    claims.wakeIn(delay);
  }

  /** Sets what is called when other nodes can take an event that this one has released. */
  public void onReleased(Runnable listener) {
    engine.onReleased(listener);
  }

  /** Returns how long what is due, handled here and not paused has waited for a worker, at most. */
  public Duration lag() {
    nodes.refresh(); // a node that only publishes has no thread for it
    Duration inTable = store.lag(unpausedTypes());
    Duration queued = engine.oldestWaiting();
    return inTable.compareTo(queued) > 0 ? inTable : queued;
  }

  private Set<String> unpausedTypes() {
    return router.types().stream()
        .filter(type -> !nodes.isPaused(type))
        .collect(Collectors.toSet());
  }

  /** Returns how long the handler that runs longest has run; zero if none runs. */
  public Duration longestRunning() {
    return engine.longestRunning();
  }

  /** Returns whether every worker has a handler that has run for a minute and more. */
  public boolean allWorkersHang() {
    return engine.allWorkersHang();
  }

  /** Returns how many more events can be handled at the same time. */
  public int freeWorkers() {
    return Math.max(0, settings.workers() - inFlight.size());
  }

  /** Returns how many events this node has in flight. */
  public int inFlight() {
    return inFlight.size();
  }

  private Claimed claim(int limit, long bytes, int below) {
    long sentAt = time.nanoTime();
    warnOfUnhandled(sentAt);
    Map<String, Integer> roomByType = roomByType(limit);
    if (roomByType.isEmpty()) {
      return new Claimed(0, false, settings.pollInterval()); // woken when a handler is done
    }
    ClaimRequest request =
        new ClaimRequest(
            settings.name(),
            settings.abandonmentTimeout(),
            roomByType,
            Set.of(),
            below,
            inFlight.types(),
            limit,
            bytes,
            below == ClaimLoop.ANY_PRIORITY
                ? inFlight.suspectLimit(Math.min(limit, settings.workers()))
                : NO_SUSPECTS,
            false,
            settings.maxLapses());
    long leaseEndsAt = sentAt + settings.abandonmentTimeout().toNanos();
    ClaimResult result = store.claim(request, this::idsInFlight);
    for (Event event : result.events()) {
      announcer.acquired(event);
      engine.offer(new ClaimedEvent(event, result.suspectGroup(), sentAt, leaseEndsAt));
    }
    result.closed().forEach(c -> announcer.failed(c.id(), c.type(), c.error()));
    int claimed = result.events().size();
    return new Claimed(claimed, claimed >= limit, result.untilNext());
  }

  /** A type that no node takes is most often misspelt. */
  private void warnOfUnhandled(long now) {
    if (now - askedAt >= UNHANDLED_AFTER.toNanos()) {
      askedAt = now;
      announcer.unhandled(store.overdueTypes(type -> !router.handles(type), UNHANDLED_AFTER));
    }
  }

  private List<Long> idsInFlight() {
    return inFlight.all().stream().map(ClaimedEvent::id).toList();
  }

  /** How many of each type this node may take; not of types that are paused or at their limit. */
  private Map<String, Integer> roomByType(int room) {
    Map<String, Integer> rooms = new HashMap<>();
    for (String type : unpausedTypes()) {
      int most = concurrency(type) - inFlight.count(type);
      if (most > 0) {
        rooms.put(type, Math.min(room, most));
      }
    }
    return rooms;
  }

  private int concurrency(String type) {
    Integer set = settings.concurrency().get(type);
    if (set != null) {
      return set;
    }
    return only(type) instanceof AsyncEventHandler
        ? WorkSettings.ASYNC_CONCURRENCY
        : Integer.MAX_VALUE;
  }

  private @Nullable EventHandler only(String type) {
    return router.onlyHandler(type).orElse(null);
  }

  /** Calls the handlers that the router finds. */
  private final class Handlers implements WorkHandler<ClaimedEvent> {

    @Override
    public Outcome handle(ClaimedEvent item) throws Throwable {
      if (only(item.type()) instanceof AsyncEventHandler async) {
        return new Outcome.Pending(async.handleAsync(item.event()));
      }
      RouteResult result = router.tryRoute(item.event());
      if (result.isSuccess()) {
        return Outcome.DONE;
      }
      item.done(result.done());
      throw decisive(result);
    }

    @Override
    public boolean handles(String type) {
      return router.handles(type);
    }

    @Override
    public int batchSize(String type) {
      return only(type) instanceof BatchEventHandler batches ? batches.maxBatchSize() : 1;
    }

    @Override
    public Map<ClaimedEvent, Throwable> handleAll(List<ClaimedEvent> items) throws Exception {
      if (!(only(items.get(0).type()) instanceof BatchEventHandler batches)) {
        throw new IllegalStateException("the handlers have just changed"); // tried again
      }
      List<Event> events = items.stream().map(ClaimedEvent::event).toList();
      return WorkHandler.failuresOf(items, batches.handleAll(events));
    }
  }

  /** Of several failures, an error of the virtual machine decides, then what a handler says. */
  private static Throwable decisive(RouteResult result) {
    Throwable first = result.failure(); // with the others suppressed in it
    for (Class<?> kind : List.of(VirtualMachineError.class, NonRetryable.class, RetryAfter.class)) {
      for (Throwable failure : result.failures()) {
        if (kind.isInstance(failure)) {
          return failure;
        }
      }
    }
    return first;
  }

  /**
   * Claims no more, releases at once what does not run, waits for what does, and interrupts it when
   * most of the time is over; to be called once, after {@link #start}.
   *
   * @param timeout the time for all of it
   * @return what was left behind
   */
  public CloseReport close(Duration timeout) {
    Deadline deadline = Deadline.after(timeout, time);
    CloseReport report =
        engine.close(deadline, () -> claims.close(deadline.remaining().dividedBy(2)));
    LOG.log(INFO, "eventbus closed " + report);
    return report;
  }
}
