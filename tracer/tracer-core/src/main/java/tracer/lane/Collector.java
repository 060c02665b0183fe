package tracer.lane;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import tracer.DropReason;
import tracer.Lane;
import tracer.lane.Drops.Dropped;
import tracer.ring.RecordFormat;
import tracer.ring.Ring;
import tracer.sink.TraceBatch;

/** What the drain may do with rings. Its users take turns. */
public final class Collector {
  private final RingAllocator allocator;
  private final Producers producers;
  private final RingPool pool;
  private final EarlierEvents earlier;
  private Lane lastLane = Lane.INDEX;

  /** A collector of the rings of all writers. */
  public Collector(RingAllocator allocator, Producers producers) {
    this.allocator = allocator;
    this.producers = producers;
    this.pool = allocator.pool();
    this.earlier = new EarlierEvents(pool);
  }

  /** A ring outside the pool, to copy into. */
  public Ring ringForCopies() {
    return new Ring(-1, Lane.INDEX, pool.sizing().ringWords());
  }

  /** How many events are being moved at this moment, by those who move them. */
  public LongAdder moving() {
    return allocator.moving();
  }

  /** Whether rings have no events, and nobody moves any at this moment. */
  public boolean isEmpty() {
    RingPool.Held held = allocator.held();
    return held.inUse() + held.waiting() + held.draining() == 0 && moving().sum() == 0;
  }

  /** How many rings there are. */
  public int rings() {
    return pool.size();
  }

  /** Takes the oldest sealed ring of the writer whose turn it is; critical ones come first. */
  public RingPool.@Nullable Taken oldest() {
    RingPool.Taken taken = allocator.takeOldest();
    if (taken != null) {
      earlier.taken(pool.state(taken.ring().index()));
    }
    return taken;
  }

  /** Begins to observe what becomes of the events that have been recorded until now. */
  public void beginFlush() {
    earlier.begin();
  }

  /** Whether all events that were recorded before the last {@link #beginFlush} were taken. */
  public boolean isFlushed() {
    return earlier.areWritten();
  }

  /** Copies what is published in the ring that critical events are recorded into. */
  public Copy copyCritical(Ring into) {
    int ring = pool.inUse(Lane.CRITICAL);
    return ring < 0 ? Copy.NOTHING : copy(ring, into);
  }

  /**
   * Copies what is published in the ring of that number, if it is being written and may hold events
   * that were recorded before the last {@link #beginFlush}.
   */
  public Copy copyEarlier(int ring, Ring into) {
    long state = pool.state(ring);
    return RingState.hasWriter(state) && earlier.areWith(RingState.writer(state))
        ? copy(ring, into)
        : Copy.NOTHING;
  }

  private Copy copy(int ring, Ring into) {
    return take(ring, from -> from.moveTo(into));
  }

  /** Drops what is published in the ring of that number, if it is being written. */
  public Copy drop(int ring, DropReason reason, Drops drops) {
    return take(
        ring,
        from -> {
          long oldest = from.oldestTime();
          long newest = from.newestTime();
          int dropped = from.skip();
          long end = producers.recordedBy(from.origin().writer());
          drops.count(lastLane, reason, new Dropped(from.origin(), dropped, oldest, newest, end));
          return dropped;
        });
  }

  private Copy take(int ring, ToIntFunction<Ring> taking) {
    long state = pool.state(ring);
    lastLane = RingState.lane(state);
    int most = pool.sizing().ringWords() / RecordFormat.LEAST_WORDS;
    allocator.moving().add(most);
    Copy copy = pool.copy(ring, state, taking);
    allocator.moving().add(-most);
    int writer = RingState.writer(state);
    boolean isEmpty = copy == Copy.NOTHING && RingState.status(state) == RingState.ACTIVE;
    if (copy == Copy.DONE || (isEmpty && !pool.hasSealed(lastLane, writer))) {
      earlier.copied(writer);
    }
    return copy;
  }

  /** The lane of the events that were copied last. */
  public Lane lastLane() {
    return lastLane;
  }

  /** Takes a ring whose thread has ended, after all that it has sealed; null if there is none. */
  public RingPool.@Nullable Taken fromEndedThread() {
    for (Producer producer : producers.ended()) {
      RingPool.Taken taken = lastRing(producer.index());
      if (taken == null) {
        taken = lastRing(producer.detail());
      }
      if (taken != null) {
        return taken;
      }
      if (!producer.index().hasRing() && !producer.detail().hasRing()) {
        producers.release(producer);
      }
    }
    return null;
  }

  /** Takes the ring that critical events are recorded into, if there is one; after the close. */
  public RingPool.@Nullable Taken lastCritical() {
    Writer critical = producers.critical();
    synchronized (critical) { // as whoever records with it does
      return critical.giveUp();
    }
  }

  /** Seals the rings of threads that have ended, and lets other threads have their writers. */
  public void sealEnded(long time) {
    for (Producer producer : producers.ended()) {
      sealLast(producer.index(), time);
      sealLast(producer.detail(), time);
      producers.release(producer);
    }
  }

  private void sealLast(Writer writer, long time) {
    RingPool.Taken taken = writer.giveUp();
    if (taken != null) {
      allocator.sealTaken(taken.ring(), writer, time);
    }
  }

  private static RingPool.@Nullable Taken lastRing(Writer writer) {
    return writer.hasSealed() ? null : writer.giveUp();
  }

  /** All events of a ring that was taken. */
  public TraceBatch events(RingPool.Taken taken) {
    return oldest(taken, taken.ring().events());
  }

  /** So many events of a ring that was taken, the oldest. */
  public TraceBatch oldest(RingPool.Taken taken, int count) {
    return taken.ring().reader(count, taken.lane(), producers.names()::of);
  }

  /** Puts a ring back that was taken. */
  public void giveBack(Ring ring) {
    allocator.giveBack(ring);
  }
}
