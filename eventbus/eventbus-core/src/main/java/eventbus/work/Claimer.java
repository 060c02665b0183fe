package eventbus.work;

import eventbus.Event;
import eventbus.EventRouter;
import eventbus.table.ClaimRequest;
import eventbus.table.ClaimResult;
import eventbus.table.EventStore;
import holdfast.lifecycle.Loop;
import holdfast.retry.Backoff;
import holdfast.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Brings due events from the table into the queue, one claim for all workers: at once after a full
 * batch, when somebody publishes here and when the next event is due, otherwise after pauses that
 * grow while nothing comes. Its step is confined to the loop's thread.
 */
final class Claimer {
  private static final String LOOP = "claim";
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration ROUNDING = Duration.ofMillis(1);

  /** How long an event must be due, and how often to ask whether one is. */
  private static final Duration UNHANDLED_AFTER = Duration.ofMinutes(1);

  private final EventStore store;
  private final EventRouter router;
  private final WorkSettings settings;
  private final Hand hand;
  private final WorkQueue queue;
  private final Announcer announcer;
  private final Consumer<Delivery> giveBack;
  private final TimeSource time;
  private final Prefetch prefetch;
  private final Backoff pauses;
  private final Loop loop;
  private int emptyLooks;
  private long askedAt;
  private long claimed;
  private volatile int wakeAtSize = -1;

  Claimer(
      EventStore store,
      EventRouter router,
      WorkSettings settings,
      Hand hand,
      WorkQueue queue,
      Announcer announcer,
      Consumer<Delivery> giveBack,
      TimeSource time) {
    this.store = store;
    this.router = router;
    this.settings = settings;
    this.hand = hand;
    this.queue = queue;
    this.announcer = announcer;
    this.giveBack = giveBack;
    this.time = time;
    this.askedAt = time.nanoTime();
    this.prefetch = new Prefetch(announcer.counters(), settings.workers(), settings.batchSize());
    Duration ceiling = settings.pollInterval();
    Duration first = ceiling.compareTo(FIRST_PAUSE) < 0 ? ceiling : FIRST_PAUSE;
    this.pauses = Backoff.exponential(first, ceiling);
    this.loop = new Loop("eventbus-claimer", ceiling, this::look, this::report, time);
  }

  void start() {
    loop.start();
  }

  /** Something came. */
  void wakeUp() {
    loop.wakeUp();
  }

  /** Something will be due. */
  void wakeIn(Duration delay) {
    loop.wakeIn(delay.isZero() ? delay : delay.plus(ROUNDING));
  }

  /** A worker has taken something: there may be room for another batch. */
  void taken() {
    if (queue.size() <= wakeAtSize) {
      wakeAtSize = -1;
      loop.wakeUp();
    }
  }

  boolean close(Duration timeout) {
    return loop.close(timeout);
  }

  private Duration look() {
    warnOfUnhandled(time.nanoTime());
    int capacity = prefetch.capacity();
    int half = capacity / 2;
    int room = capacity - queue.size();
    if (room <= half && queue.size() > 0) {
      wakeAtSize = half;
      return queue.size() <= half ? Duration.ZERO : settings.pollInterval();
    }
    Map<String, Integer> roomByType = roomByType(room);
    if (roomByType.isEmpty()) {
      return settings.pollInterval(); // woken when a handler is done
    }
    int limit = Math.min(room, settings.batchSize());
    ClaimRequest request =
        new ClaimRequest(
            settings.worker(),
            settings.lease().length(),
            roomByType,
            limit,
            !hand.hasSuspect(),
            false,
            settings.maxLapses());
    long sentAt = time.nanoTime();
    ClaimResult result = store.claim(request, hand::ids);
    announcer.outage().worked(LOOP);
    result.events().forEach(event -> enqueue(event, sentAt));
    result.closed().forEach(c -> announcer.failed(c.id(), c.type(), c.error()));
    return pauseAfter(result, limit);
  }

  /** A type that no node takes is most often misspelt. */
  private void warnOfUnhandled(long now) {
    if (now - askedAt >= UNHANDLED_AFTER.toNanos()) {
      askedAt = now;
      announcer.unhandled(store.overdueTypes(type -> !router.handles(type), UNHANDLED_AFTER));
    }
  }

  private void report(Exception failure) {
    if (!loop.isClosed()) {
      announcer.outage().failed(LOOP, failure);
    }
  }

  private Duration pauseAfter(ClaimResult result, int limit) {
    if (result.events().size() >= limit) {
      emptyLooks = 0;
      return Duration.ZERO;
    }
    emptyLooks = result.events().isEmpty() ? emptyLooks + 1 : 1;
    Duration pause = pauses.delay(emptyLooks);
    Duration next = result.untilNext().plus(ROUNDING);
    return next.compareTo(pause) < 0 ? next : pause;
  }

  /** How many of each type this node may take; types that are at their limit are left out. */
  private Map<String, Integer> roomByType(int room) {
    Map<String, Integer> rooms = new HashMap<>();
    for (String type : router.types()) {
      int most = settings.concurrency().getOrDefault(type, Integer.MAX_VALUE) - hand.count(type);
      if (most > 0) {
        rooms.put(type, Math.min(room, most));
      }
    }
    return rooms;
  }

  private void enqueue(Event event, long sentAt) {
    announcer.acquired(event);
    long ends = sentAt + settings.lease().length().toNanos();
    Delivery delivery = new Delivery(event, claimed++, sentAt, ends);
    hand.add(delivery);
    if (!queue.offer(delivery) && delivery.leave()) {
      giveBack.accept(delivery);
    }
  }
}
