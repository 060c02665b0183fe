package tracer;

import holdfast.ledger.LedgerSnapshot;
import java.util.LinkedHashMap;
import java.util.Map;
import tracer.lane.RingPool;

/**
 * Reads the ledger while events move. Safe for use by many threads.
 *
 * <p>A reading looks at one place after the other. What was recorded, copied, written or dropped
 * meanwhile may be seen in two places or in none. How much that is at most is the rise of the
 * counters of all four from the begin of the reading to its end, and the events in rings that are
 * being moved: the snapshot calls it in transit. A reading during which much has moved, since the
 * reading thread had to wait for a processor, is repeated.
 */
final class LedgerReading {
  private static final int MOST_READINGS = 64;
  private static final long FEW = 1000;

  private final TracerParts parts;

  LedgerReading(TracerParts parts) {
    this.parts = parts;
  }

  /** Reads until hardly anything has moved meanwhile, or gives the best of many readings. */
  LedgerSnapshot read() {
    LedgerSnapshot best = once();
    for (int i = 1; i < MOST_READINGS && best.inTransit() > FEW; i++) {
      LedgerSnapshot next = once();
      best = next.inTransit() < best.inTransit() ? next : best;
    }
    return best;
  }

  /** What has left is read before what has come in, so it never shows more out than in. */
  private LedgerSnapshot once() {
    long movedBefore = moved();
    long movingBefore = parts.allocator.moving().sum();
    Map<String, Long> lost = new LinkedHashMap<>();
    for (DropReason reason : DropReason.values()) {
      lost.put(reason.code(), parts.drops.of(reason));
    }
    long delivered = delivered();
    long copies = parts.drain.eventsInCopies();
    RingPool.Held held = parts.allocator.held();
    long recorded = parts.recorded();
    long moving = Math.max(movingBefore, parts.allocator.moving().sum());
    Map<String, Long> places = new LinkedHashMap<>();
    places.put("draining", held.draining() + copies);
    places.put("queue", held.waiting());
    places.put("rings", held.inUse());
    long inTransit = moved() - movedBefore + moving;
    return new LedgerSnapshot("tracer", recorded, 0, delivered, lost, places, inTransit);
  }

  /** All that was ever recorded, copied, written or dropped. */
  private long moved() {
    long dropped = 0;
    for (Lane lane : Lane.values()) {
      dropped += parts.drops.of(lane);
    }
    return parts.recorded() + parts.drain.copied() + delivered() + dropped;
  }

  private long delivered() {
    long sum = 0;
    for (Lane lane : Lane.values()) {
      sum += parts.persisted.of(lane);
    }
    return sum;
  }
}
