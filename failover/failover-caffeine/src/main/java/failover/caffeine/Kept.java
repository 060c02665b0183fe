package failover.caffeine;

import failover.store.ReferentialPayload;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/** The place of a key in the cache, and its answer. Safe for use by many threads. */
final class Kept {
  private static final AtomicReferenceFieldUpdater<Kept, Object> STATE =
      AtomicReferenceFieldUpdater.newUpdater(Kept.class, Object.class, "state");

  /** What a place has once it takes no other answer: it has been given up, and stays so. */
  private record GivenUp(ReferentialPayload last) {}

  private final int weight;

  /** The answer, or a {@link GivenUp}. */
  private volatile Object state;

  Kept(ReferentialPayload answer, int weight) {
    this.state = answer;
    this.weight = weight;
  }

  /** What the cache takes it to weigh, which never changes. */
  int weight() {
    return weight;
  }

  /** The answer; the last one if the place has been given up. */
  ReferentialPayload answer() {
    return state instanceof GivenUp given ? given.last : (ReferentialPayload) state;
  }

  /** Takes the answer unless it has a newer one; false if the place has been given up. */
  boolean offer(ReferentialPayload young) {
    while (true) {
      Object old = state;
      if (!(old instanceof ReferentialPayload answer)) {
        return false;
      }
      if (!young.replaces(answer) || STATE.compareAndSet(this, old, young)) {
        return true;
      }
    }
  }

  /** Gives up the place and returns the answer that it has had last. */
  ReferentialPayload giveUp() {
    while (true) {
      Object old = state;
      if (!(old instanceof ReferentialPayload last)
          || STATE.compareAndSet(this, old, new GivenUp(last))) {
        return answer();
      }
    }
  }

  /** Gives up the place unless its answer is newer; false if it is, and the place stays. */
  boolean giveUpUnlessNewer(Instant asOf) {
    while (true) {
      Object old = state;
      if (!(old instanceof ReferentialPayload last)) {
        return true;
      }
      if (last.asOf().isAfter(asOf)) {
        return false;
      }
      if (STATE.compareAndSet(this, old, new GivenUp(last))) {
        return true;
      }
    }
  }

  /** Gives up the place if its answer has expired by that moment. */
  boolean giveUpIfExpired(Instant cutoff) {
    Object old = state;
    return old instanceof ReferentialPayload last
        && last.expireOn().isBefore(cutoff)
        && STATE.compareAndSet(this, old, new GivenUp(last));
  }
}
