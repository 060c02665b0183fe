package tracer.lane;

import org.jspecify.annotations.Nullable;
import tracer.Lane;
import tracer.ring.Ring;

/** What the drain may do with rings. Confined to the thread that drains. */
public final class Collector {
  private final Supply supply;
  private final Producers producers;
  private final RingPool pool;
  private Lane copiedLane = Lane.INDEX;

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
    long state = pool.state(ring);
    copiedLane = RingState.lane(state);
    return pool.copy(ring, state, into);
  }

  /** The lane of the events that were copied last. */
  public Lane copiedLane() {
    return copiedLane;
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

  private static RingPool.@Nullable Taken lastRing(Writer writer) {
    return writer.hasSealed() ? null : writer.giveUp();
  }

  /** Puts a ring back that was taken. */
  public void giveBack(Ring ring) {
    supply.giveBack(ring);
  }
}
