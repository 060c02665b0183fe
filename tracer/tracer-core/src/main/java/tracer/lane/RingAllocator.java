package tracer.lane;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import tracer.DropReason;
import tracer.Lane;
import tracer.lane.Drops.Dropped;
import tracer.ring.Ring;

/**
 * Finds writers the next ring, and decides whose events are dropped for it. Safe for use by many
 * threads.
 */
public final class RingAllocator {
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
  private final boolean keeps;
  private final Map<Lane, Pressure> pressures = new EnumMap<>(Lane.class);
  private final Map<Lane, Boolean> refused = new EnumMap<>(Lane.class);
  private final LongAdder moving = new LongAdder();
  private volatile boolean closed;

  /**
   * The allocator of a pool.
   *
   * @param limits the watermarks and the length of the queue
   * @param wakeDrain has the drain look for sealed rings
   * @param pressureChanged is told when a watermark was crossed
   */
  public RingAllocator(
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
    this.keeps = limits.keeps();
    for (Lane lane : Lane.values()) {
      pressures.put(
          lane,
          new Pressure(
              limits.highWatermark(),
              limits.lowWatermark(),
              pool.counts(lane).free(),
              pressureChanged));
      refused.put(lane, pool.counts(lane).refused() > 0);
    }
  }

  /**
   * The limits of an allocator.
   *
   * @param submitQueueCapacity how many sealed rings may wait for the drain
   * @param highWatermark the percentage at which pressure begins
   * @param lowWatermark the percentage at which it ends
   * @param keeps whether sealed rings are kept, as a flight recorder does, until others are needed;
   *     so it is no pressure when all are
   */
  public record Limits(
      int submitQueueCapacity, int highWatermark, int lowWatermark, boolean keeps) {}

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
      if (first && !keeps) {
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
    DropReason why = queueFull ? DropReason.ENCODER_LAG : DropReason.POOL_EXHAUSTED;
    moving.add(events);
    try {
      if (keeps) {
        drops.replaced(lane, events);
      } else if (events > 0) {
        drops.count(
            lane,
            reason(lane, why, time),
            new Dropped(ring.origin(), events, ring.oldestTime(), ring.sealedAt(), ring.end()));
      }
      ring.reset();
    } finally {
      moving.add(-events);
    }
  }

  /** Why events of a lane are dropped, unless there is a more specific cause. */
  DropReason reason(Lane lane, DropReason otherwise, long time) {
    if (refused.getOrDefault(lane, false)) {
      return DropReason.MEMORY_LIMIT;
    }
    if (watch.isDiskSlow(time)) {
      return DropReason.DISK_SLOW;
    }
    return watch.isLagging(time) ? DropReason.ENCODER_LAG : otherwise;
  }

  /** Counts events that a writer has overwritten. */
  void overwritten(Lane lane, Dropped dropped, long time) {
    if (keeps) {
      drops.replaced(lane, dropped.count());
    } else {
      dropped(lane, dropped, time);
    }
  }

  /** Counts events that could not be recorded, or were overwritten by newer ones. */
  void dropped(Lane lane, Dropped dropped, long time) {
    boolean lag = lane != Lane.CRITICAL && queue.isFull();
    DropReason why = lag ? DropReason.ENCODER_LAG : DropReason.RING_FULL;
    drops.count(lane, reason(lane, why, time), dropped);
  }

  /** Counts an event that no ring may have: whatever else is wrong, this is why it is dropped. */
  void tooLarge(Lane lane, Dropped dropped) {
    drops.count(lane, DropReason.RING_FULL, dropped);
  }

  /** Seals a writer's ring, for which {@link #next} has found a place. */
  void seal(Ring ring, Writer writer, long time) {
    ring.sealedAt(time, writer.recorded());
    pool.seal(ring, writer);
    look(ring.home());
    if (!keeps) {
      wakeDrain.run();
    }
  }

  /**
   * Seals the ring of a writer whose thread has ended, so that a flight recorder keeps it; where no
   * more may be sealed, its events are dropped.
   */
  void sealTaken(Ring ring, Writer writer, long time) {
    if (ring.events() > 0 && queue.enter()) {
      ring.sealedAt(time, writer.recorded());
      pool.seal(ring, writer);
    } else {
      drop(ring, writer.lane(), false, time);
      giveBack(ring);
    }
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
    if (keeps) {
      return;
    }
    RingCounts counts;
    do {
      counts = pool.counts(home);
      // Once more after a change: another may have looked before it and found nothing to change.
    } while (pressure(home).update(counts.fill(), counts.free()));
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
    return pool.counts(lane).fill();
  }

  /** How many rings of a lane are in the pool. */
  public int freeRings(Lane lane) {
    return pool.counts(lane).free();
  }

  /** How many rings of a lane the memory limit refused. */
  public int refused(Lane lane) {
    return pool.counts(lane).refused();
  }

  /** How many events are in rings. */
  public RingPool.Held held() {
    return pool.held();
  }

  /** How many events are being moved at this moment, by those who move them. */
  public LongAdder moving() {
    return moving;
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
