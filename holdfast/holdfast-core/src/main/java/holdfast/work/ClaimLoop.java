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
 * has room, so that batches are large. Steps are confined to the loop's thread; waking it is safe
 * for use by many threads.
 */
public final class ClaimLoop {
  /** Databases keep moments less exactly than the clocks measure them. */
  private static final Duration ROUNDING = Duration.ofMillis(1);

  private final Claims claims;
  private final IntSupplier workers;
  private final Prefetch prefetch;
  private final WorkQueue<?> queue;
  private final InFlight<?> inFlight;
  private final Nodes nodes;
  private final Settings settings;
  private final Outage outage;
  private final Loop loop;
  private int emptyPolls;

  /** Claims due events and offers them to the engine. */
  @FunctionalInterface
  public interface Claims {

    /**
     * Claims.
     *
     * @param limit how many at most, 1 or more
     * @param bytes how many bytes they may have in all, 1 or more; the first is always taken
     * @return what was claimed
     * @throws Exception if the table could not be asked
     */
    Claimed claim(int limit, long bytes) throws Exception;
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
      Prefetch prefetch,
      WorkQueue<?> queue,
      InFlight<?> inFlight,
      Nodes nodes,
      Outage outage,
      TimeSource time) {
    this.settings = settings;
    this.claims = claims;
    this.workers = workers;
    this.prefetch = prefetch;
    this.queue = queue;
    this.inFlight = inFlight;
    this.nodes = nodes;
    this.outage = outage;
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
    long bytes = limit == 0 ? 0 : inFlight.roomOrCall();
    if (bytes == 0) {
      return settings.interval(); // or sooner, when there is room
    }
    Claimed claimed = claims.claim(Math.min(limit, inFlight.eventsWithin(bytes)), bytes);
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

  /** How many events to claim; if none, the queue wakes this loop when that changes. */
  private int limit() {
    if (queue.isStopped()) {
      return 0; // what was released on close would be claimed again
    }
    int most = queue.claimedCapacity();
    boolean shared = settings.shared().getAsBoolean();
    int ahead = shared ? Math.min(prefetch.events(settings.batchSize()), most) : most;
    int room = room(ahead);
    if (!queue.holdsAtMost((room + queue.claimedSize()) / 2)) {
      return 0;
    }
    if (room == 0) {
      queue.wakeWhenFinished();
      room = room(ahead); // one that has finished just now did not wake
    }
    return Math.min(settings.batchSize(), room);
  }

  private int room(int ahead) {
    return queue.roomForClaims(
        (int) Math.min(Integer.MAX_VALUE, (long) workers.getAsInt() + ahead));
  }

  private void report(Exception failure) {
    if (!loop.isClosed()) {
      outage.failed(settings.what(), failure);
    }
  }
}
