package holdfast.work;

import holdfast.lifecycle.Loop;
import holdfast.log.Outage;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.IntSupplier;

/**
 * Brings due events from the table into the queue: at once after a full batch, when it is woken and
 * when the next event is due, otherwise after a pause. Claims for the workers that are free and for
 * what fast handlers will want next, as far as there is room for the bytes; not before half of that
 * has room, so that batches are large. Until then it claims only events that are more urgent than
 * what the workers would take next. While no worker is free or about to be, it leaves all events to
 * other nodes, which may begin at once. Steps are confined to the loop's thread; waking it is safe
 * for use by many threads.
 */
public final class ClaimLoop {
  /** Databases keep moments less exactly than the clocks measure them. */
  private static final Duration ROUNDING = Duration.ofMillis(1);

  /** Stands for events of every priority. */
  public static final int ANY_PRIORITY = Integer.MAX_VALUE;

  /** How soon after each other urgent events are looked for at most, whoever publishes. */
  private static final Duration URGENT_SPACING = Duration.ofMillis(20);

  private final Claims claims;
  private final IntSupplier workers;
  private final IntSupplier promptWorkers;
  private final Prefetch prefetch;
  private final WorkQueue<?> queue;
  private final InFlight<?> inFlight;
  private final Nodes nodes;
  private final Settings settings;
  private final Outage outage;
  private final Loop loop;
  private final TimeSource time;
  private int emptyPolls;
  private long urgentAt;

  /** Claims due events and offers them to the engine. */
  @FunctionalInterface
  public interface Claims {

    /**
     * Claims.
     *
     * @param limit how many at most, 1 or more
     * @param bytes how many bytes they may have in all, 1 or more; the first is always taken
     * @param below only events whose priority is less; {@link #ANY_PRIORITY} for all
     * @return what was claimed
     * @throws Exception if the table could not be asked
     */
    Claimed claim(int limit, long bytes, int below) throws Exception;
  }

  /**
   * What was claimed. Immutable.
   *
   * @param events how many
   * @param more whether more may be due, so that the next poll follows at once
   * @param untilNext how long until the next event is due otherwise, as far as it is known
   */
  public record Claimed(int events, boolean more, Duration untilNext) {}

  /**
   * How often and how much to claim. Immutable.
   *
   * @param name the name of the thread
   * @param what what fails when a claim does, for the log
   * @param interval the longest pause
   * @param pauses the pause after so many polls in a row without an event
   * @param shared whether other nodes can take what this one does not; if not, the queue is filled
   * @param batchSize how many events are claimed at a time, at most
   */
  public record Settings(
      String name,
      String what,
      Duration interval,
      IntFunction<Duration> pauses,
      BooleanSupplier shared,
      int batchSize) {}

  ClaimLoop(
      Settings settings,
      Claims claims,
      IntSupplier workers,
      IntSupplier promptWorkers,
      Prefetch prefetch,
      WorkQueue<?> queue,
      InFlight<?> inFlight,
      Nodes nodes,
      Outage outage,
      TimeSource time) {
    this.settings = settings;
    this.claims = claims;
    this.workers = workers;
    this.promptWorkers = promptWorkers;
    this.prefetch = prefetch;
    this.queue = queue;
    this.inFlight = inFlight;
    this.nodes = nodes;
    this.outage = outage;
    this.time = time;
    this.urgentAt = time.nanoTime();
    this.loop = new Loop(settings.name(), settings.interval(), this::step, this::report, time);
    queue.onRoom(loop::wakeUp);
    inFlight.onRoom(loop::wakeUp);
  }

  /** Starts polling, on a thread of its own; does nothing the second time. */
  public void start() {
    nodes.claiming(true);
    loop.start();
  }

  /** Polls once, on the calling thread; a failing database is logged, not thrown. */
  public void poll() {
    try {
      step();
    } catch (Exception e) {
      report(e);
    }
  }

  /** Polls now: an event has come. */
  public void wakeUp() {
    loop.wakeUp();
  }

  /** Polls then: an event will be due. */
  public void wakeIn(Duration delay) {
    loop.wakeIn(delay.isZero() ? delay : delay.plus(ROUNDING));
  }

  /**
   * Stops polling and waits for the poll under way. Idempotent.
   *
   * @param timeout how long to wait at most
   * @return whether no poll is under way any more
   */
  public boolean close(Duration timeout) {
    nodes.claiming(false);
    return loop.close(timeout);
  }

  private Duration step() throws Exception {
    Duration untilRefresh = nodes.refresh();
    Duration pause = claim();
    return pause.compareTo(untilRefresh) < 0 ? pause : untilRefresh;
  }

  private Duration claim() throws Exception {
    int limit = limit();
    if (limit == 0) {
      return claimUrgent(); // or sooner, when there is room
    }
    long bytes = inFlight.roomOrCall();
    if (bytes == 0) {
      return settings.interval();
    }
    int most = Math.min(limit, inFlight.eventsWithin(bytes));
    Claimed claimed = claims.claim(most, bytes, ANY_PRIORITY);
    outage.worked(settings.what());
    if (claimed.more()) {
      emptyPolls = 0;
      return Duration.ZERO;
    }
    emptyPolls = claimed.events() == 0 ? emptyPolls + 1 : 1;
    Duration pause = settings.pauses().apply(emptyPolls);
    Duration next = claimed.untilNext().plus(ROUNDING);
    return next.compareTo(pause) < 0 ? next : pause;
  }

  /**
   * Claims what is more urgent than that which the workers would take next. It would otherwise wait
   * until half of the queue is worked off, which may take long if handlers have become slow.
   */
  private Duration claimUrgent() throws Exception {
    int most = workers.getAsInt();
    int below = queue.priorityAt(most);
    boolean soon = promptWorkers.getAsInt() > 0 || !nodes.hasOthers();
    if (below <= WorkItem.MOST_URGENT || !soon) {
      return settings.interval();
    }
    long now = time.nanoTime();
    if (now - urgentAt < 0) {
      return Duration.ofNanos(urgentAt - now);
    }
    long bytes = inFlight.roomOrCall();
    if (bytes > 0) {
      urgentAt = now + URGENT_SPACING.toNanos();
      claims.claim(Math.min(settings.batchSize(), most), bytes, below);
      outage.worked(settings.what());
    }
    return settings.interval();
  }

  /** How many events to claim; if none, the queue wakes this loop when that changes. */
  private int limit() {
    if (queue.isStopped()) {
      return 0; // what was released on close would be claimed again
    }
    int room = room();
    if (!queue.holdsAtMost((room + queue.claimedSize()) / 2)) {
      return 0;
    }
    if (room == 0) {
      queue.wakeWhenFinished();
      room = room(); // one that has finished just now did not wake
    }
    return Math.min(settings.batchSize(), room);
  }

  private int room() {
    int ahead = queue.claimedCapacity();
    if (settings.shared().getAsBoolean()) {
      int prompt = promptWorkers.getAsInt();
      if (prompt == 0) {
        return 0;
      }
      ahead = Math.min(ahead, prefetch.events(settings.batchSize(), prompt));
    }
    return queue.roomForClaims(
        (int) Math.min(Integer.MAX_VALUE, (long) workers.getAsInt() + ahead));
  }

  private void report(Exception failure) {
    if (!loop.isClosed()) {
      outage.failed(settings.what(), failure);
    }
  }
}
