package failover.caffeine;

import failover.store.ReferentialPayload;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** The place of a key in the cache, and its answer. Safe for use by many threads. */
final class Kept {
  private static final AtomicReferenceFieldUpdater<Kept, @Nullable ReferentialPayload> ANSWER =
      AtomicReferenceFieldUpdater.newUpdater(Kept.class, ReferentialPayload.class, "answer");

  /** Null when the place has been given up; it stays so. */
  private volatile @Nullable ReferentialPayload answer;

  Kept(ReferentialPayload answer) {
    this.answer = answer;
  }

  /** The answer, or null if the place has been given up. */
  @Nullable ReferentialPayload answer() {
    return answer;
  }

  /** Takes the answer unless it has a newer one; false if the place has been given up. */
  boolean offer(ReferentialPayload young) {
    while (true) {
      ReferentialPayload old = answer;
      if (old == null) {
        return false;
      }
      if (!young.replaces(old) || ANSWER.compareAndSet(this, old, young)) {
        return true;
      }
    }
  }

  /** Gives up the place if its answer has expired by that moment. */
  boolean endIfExpired(Instant cutoff) {
    ReferentialPayload old = answer;
    return old != null && old.expireOn().isBefore(cutoff) && ANSWER.compareAndSet(this, old, null);
  }
}
