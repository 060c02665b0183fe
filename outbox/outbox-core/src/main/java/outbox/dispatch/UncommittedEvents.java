package outbox.dispatch;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import outbox.EventEnvelope;

/**
 * The events that are kept in memory until their transaction ends: how many they are, and how many
 * bytes they have. No callback tells of a savepoint that is rolled back, or of a transaction whose
 * outcome is unknown: those events count until the garbage collector has removed them. Safe for use
 * by many threads.
 */
final class UncommittedEvents {
  private final ReferenceQueue<List<EventEnvelope>> collected = new ReferenceQueue<>();
  private final Set<Share> shares = ConcurrentHashMap.newKeySet(); // or they would be collected
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();

  private final class Share extends PhantomReference<List<EventEnvelope>> {
    private final int events;
    private final long size;

    Share(List<EventEnvelope> events) {
      super(events, collected);
      this.events = events.size();
      this.size = events.stream().mapToLong(EventEnvelope::approximateSize).sum();
    }

    void remove() {
      if (shares.remove(this)) {
        count.addAndGet(-events);
        bytes.addAndGet(-size);
      }
    }
  }

  /**
   * Counts events.
   *
   * @param events a list that is referenced for as long as the events are kept
   * @return counts them no more; does nothing the second time, and does not reference the events
   */
  Runnable add(List<EventEnvelope> events) {
    Share share = new Share(events);
    shares.add(share);
    count.addAndGet(share.events);
    bytes.addAndGet(share.size);
    return share::remove;
  }

  /** Returns how many there are. */
  int count() {
    removeCollected();
    return count.get();
  }

  /** Returns how many bytes they have. */
  long bytes() {
    removeCollected();
    return bytes.get();
  }

  private void removeCollected() {
    for (Reference<?> found = collected.poll(); found != null; found = collected.poll()) {
      ((Share) found).remove();
    }
  }
}
