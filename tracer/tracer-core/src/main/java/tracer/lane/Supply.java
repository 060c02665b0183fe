package tracer.lane;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tracer.DropReason;
import tracer.Lane;
import tracer.ring.Ring;

/**
 * Finds writers the next ring, and decides whose events are dropped for it. Safe for use by many
 * threads.
 */
public final class Supply {
  /** A place to look for a ring: free ones, or those that wait with a lane's events. */
  private record Source(Lane lane, boolean isFree) {}

  // What a lane may take, in this order. Whatever is sealed is dropped when it is taken.
  private static final Map<Lane, List<Source>> SOURCES =
      Map.of(
          Lane.INDEX, List.of(free(Lane.INDEX), sealed(Lane.INDEX)),
          Lane.DETAIL,
              List.of(free(Lane.DETAIL), free(Lane.INDEX), sealed(Lane.INDEX), sealed(Lane.DETAIL)),
          Lane.CRITICAL,
              List.of(
                  free(Lane.CRITICAL),
                  free(Lane.INDEX),
                  sealed(Lane.INDEX),
                  free(Lane.DETAIL),
                  sealed(Lane.DETAIL)));

  private final RingPool pool;
  private final SubmitQueue queue;
  private final Drops drops;
  private final SinkWatch watch;
  private final Runnable wakeDrain;
  private final Map<Lane, Pressure> pressures = new EnumMap<>(Lane.class);
  private final Map<Lane, Boolean> refused = new EnumMap<>(Lane.class);
  private volatile boolean closed;

  /**
   * The supply from a pool.
   *
   * @param limits the watermarks and the length of the queue
   * @param wakeDrain has the drain look for sealed rings
   * @param pressureChanged is told when a watermark was crossed
   */
  public Supply(
      RingPool pool,
      Limits limits,
      Drops drops,
      SinkWatch watch,
      Runnable wakeDrain,
      Runnable pressureChanged) {
    this.pool = pool;
    this.queue = new SubmitQueue(limits.submitQueueCapacity());
    this.drops = drops;
    this.watch = watch;
    this.wakeDrain = wakeDrain;
    for (Lane lane : Lane.values()) {
      pressures.put(
          lane,
          new Pressure(
              limits.highWatermark(),
              limits.lowWatermark(),
              pool.census(lane).free(),
              pressureChanged));
      refused.put(lane, pool.census(lane).refused() > 0);
    }
  }

  /**
   * The limits of a supply.
   *
   * @param submitQueueCapacity how many sealed rings may wait for the drain
   * @param highWatermark the percentage at which pressure begins
   * @param lowWatermark the percentage at which it ends
   */
  public record Limits(int submitQueueCapacity, int highWatermark, int lowWatermark) {}

  private static Source free(Lane lane) {
    return new Source(lane, true);
  }

  private static Source sealed(Lane lane) {
    return new Source(lane, false);
  }

  /**
   * The next ring for a writer, owned by it and empty.
   *
   * @param current the ring it will seal then, if it has one
   * @return null if there is none at all
   */
  @Nullable Ring next(Writer writer, @Nullable Ring current, long time) {
    boolean bounded = current != null && writer.lane() != Lane.CRITICAL;
    boolean queueFull = bounded && !queue.enter();
    boolean first = true;
    for (Source source : sources(writer.lane())) {
      // While the queue is full the pool appears exhausted: a place comes only with a sealed ring.
      Ring ring = source.isFree() && queueFull ? null : take(source, writer);
      if (ring != null) {
        if (!source.isFree()) {
          drop(ring, source.lane(), queueFull, time);
          if (!queueFull) { // else the place passes to the ring that the writer seals
            queue.leave();
          }
        }
        return ring;
      }
      if (first) {
        pressure(writer.lane()).exhausted();
        first = false;
      }
    }
    if (bounded && !queueFull) {
      queue.leave();
    }
    return null;
  }

  private static List<Source> sources(Lane lane) {
    return SOURCES.getOrDefault(lane, List.of());
  }

  private @Nullable Ring take(Source source, Writer writer) {
    return source.isFree()
        ? pool.takeFree(source.lane(), writer)
        : pool.takeSealed(source.lane(), writer);
  }

  private void drop(Ring ring, Lane lane, boolean queueFull, long time) {
    int events = ring.events();
    if (events > 0) {
      DropReason why = queueFull ? DropReason.ENCODER_LAG : DropReason.POOL_EXHAUSTED;
      drops.count(lane, reason(lane, why, time), events, ring.oldestTime(), ring.sealedAt());
    }
    ring.reset();
  }

  /** Why events of a lane are dropped, unless there is a more specific cause. */
  DropReason reason(Lane lane, DropReason otherwise, long time) {
    if (refused.getOrDefault(lane, false)) {
      return DropReason.MEMORY_LIMIT;
    }
    if (watch.isSlow(time)) {
      return DropReason.DISK_SLOW;
    }
    return otherwise;
  }

  /** Counts events that a writer has overwritten, or could not record. */
  void dropped(Lane lane, long count, long from, long to, long time) {
    boolean lag = lane != Lane.CRITICAL && queue.isFull();
    DropReason why = lag ? DropReason.ENCODER_LAG : DropReason.RING_FULL;
    drops.count(lane, reason(lane, why, time), count, from, to);
  }

  /** Seals a writer's ring, for which {@link #next} has found a place. */
  void seal(Ring ring, Writer writer, long time) {
    ring.sealedAt(time);
    pool.seal(ring, writer);
    look(ring.home());
    wakeDrain.run();
  }

  /** Takes the oldest sealed ring of the writer whose turn it is, for the drain, or null. */
  public RingPool.@Nullable Taken takeOldest() {
    RingPool.Taken taken = pool.takeOldest();
    if (taken != null && taken.lane() != Lane.CRITICAL) {
      queue.leave();
    }
    return taken;
  }

  /** Puts back a ring that the drain, or a writer that will not use it, owns. */
  public void giveBack(Ring ring) {
    pool.free(ring);
    look(ring.home());
  }

  /** Compares the fill of a lane with its watermarks. */
  private void look(Lane home) {
    Census census;
    do {
      census = pool.census(home);
      // Once more after a change: another may have looked before it and found nothing to change.
    } while (pressure(home).update(census.fill(), census.free()));
  }

  /** The watermarks of a lane. */
  public Pressure pressure(Lane lane) {
    Pressure pressure = pressures.get(lane);
    if (pressure == null) {
      throw new IllegalStateException("no lane " + lane);
    }
    return pressure;
  }

  /** How many of a hundred rings of a lane, not in use by writers, wait to be drained. */
  public int fill(Lane lane) {
    return pool.census(lane).fill();
  }

  /** How many rings of a lane are in the pool. */
  public int freeRings(Lane lane) {
    return pool.census(lane).free();
  }

  /** How many rings of a lane the memory limit refused. */
  public int refused(Lane lane) {
    return pool.census(lane).refused();
  }

  /** How many events are in rings that writers have in use. */
  public long eventsInUse() {
    return pool.events(
        state -> RingState.status(state) != RingState.FREE && !RingState.isWaiting(state));
  }

  /** How many events are in sealed rings. */
  public long eventsWaiting() {
    return pool.events(
        state -> RingState.isWaiting(state) && RingState.status(state) != RingState.DRAINING);
  }

  /** How many sealed rings wait for the drain, those with critical events not counted. */
  public int queued() {
    return queue.size();
  }

  RingPool pool() {
    return pool;
  }

  /** Records no more events. */
  public void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }
}
