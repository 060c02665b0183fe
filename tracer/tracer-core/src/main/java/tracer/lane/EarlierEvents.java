package tracer.lane;

import java.util.BitSet;

/**
 * Which writers may still have events in their rings that they recorded before a moment. Its users
 * take turns.
 */
final class EarlierEvents {
  /*
   * A writer seals its rings one after the other, and the oldest is taken first, by the drain and by
   * whoever needs a ring. So all that a writer recorded before the moment is out of its rings as soon
   * as one is taken that it sealed afterwards, or the one in use is copied while no older one waits.
   * Neither needs the writer to pause: it ends under any load.
   */
  private final RingPool pool;
  private final BitSet writers = new BitSet();
  private long sealings;

  EarlierEvents(RingPool pool) {
    this.pool = pool;
  }

  /** The moment is now. */
  void begin() {
    sealings = pool.sealings();
    writers.clear();
    writers.or(withRings());
  }

  private BitSet withRings() {
    BitSet found = new BitSet();
    for (int i = 0; i < pool.size(); i++) {
      long state = pool.state(i);
      if (RingState.hasWriter(state)) {
        found.set(RingState.writer(state));
      }
    }
    return found;
  }

  /** The drain has taken a sealed ring that had this state. */
  void taken(long state) {
    if (RingState.sealing(state) > sealings) {
      writers.clear(RingState.writer(state));
    }
  }

  /** Whether a writer may still have some. */
  boolean areWith(int writer) {
    return writers.get(writer);
  }

  /** The ring in use was copied, and no older one waits. */
  void copied(int writer) {
    writers.clear(writer);
  }

  /** Whether nothing is left. */
  boolean areWritten() {
    if (!writers.isEmpty()) {
      writers.and(withRings()); // without the writers whose threads have ended
    }
    return writers.isEmpty();
  }
}
