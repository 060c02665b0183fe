package tracer.lane;

import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import tracer.DropReason;
import tracer.Lane;
import tracer.ring.Ring;

/** What the drain may do with rings. Its users take turns. */
public final class Collector {
  private final Supply supply;
  private final Producers producers;
  private final RingPool pool;
  private Lane lastLane = Lane.INDEX;

  /** A collector of the rings of all writers. */
  public Collector(Supply supply, Producers producers) {
    this.supply = supply;
    this.producers = producers;
    this.pool = supply.pool();
  }

  /** A ring outside the pool, to copy into. */
  public Ring ringForCopies() {
    return new Ring(-1, Lane.INDEX, pool.sizing().ringWords());
  }

  /** How many rings there are. */
  public int rings() {
    return pool.size();
  }

  /** Takes the oldest sealed ring of the writer whose turn it is; critical ones come first. */
  public RingPool.@Nullable Taken oldest() {
    return supply.takeOldest();
  }

  /** Copies what is published in the ring of that number, if it is being written. */
  public Copy copy(int ring, Ring into) {
    return take(ring, from -> from.moveTo(into));
  }

  /** Drops what is published in the ring of that number, if it is being written. */
  public Copy drop(int ring, DropReason reason, Drops drops) {
    return take(
        ring,
        from -> {
          long oldest = from.oldestTime();
          int dropped = from.skip();
          drops.count(lastLane, reason, dropped, oldest, oldest);
          return dropped;
        });
  }

  private Copy take(int ring, ToIntFunction<Ring> taking) {
    long state = pool.state(ring);
    lastLane = RingState.lane(state);
    return pool.copy(ring, state, taking);
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

  private static RingPool.@Nullable Taken lastRing(Writer writer) {
    return writer.hasSealed() ? null : writer.giveUp();
  }

  /** Puts a ring back that was taken. */
  public void giveBack(Ring ring) {
    supply.giveBack(ring);
  }
}
