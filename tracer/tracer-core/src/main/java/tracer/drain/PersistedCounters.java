package tracer.drain;

import java.util.concurrent.atomic.LongAdder;
import tracer.Lane;

/** How many events are safe, by lane. Safe for use by many threads. */
public final class PersistedCounters {
  private final LongAdder[] counts = new LongAdder[Lane.values().length];

  /** No event is safe. */
  public PersistedCounters() {
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
    }
  }

  /** Notes events that are safe. */
  public void add(Lane lane, long count) {
    counter(lane).add(count);
  }

  /** How many events of a lane are safe. */
  public long of(Lane lane) {
    return counter(lane).sum();
  }

  @SuppressWarnings("EnumOrdinal") // an index within this process, stored nowhere
  private LongAdder counter(Lane lane) {
    return counts[lane.ordinal()];
  }
}
