package tracer;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The counters of one lane.
 *
 * @param lane the lane
 * @param eventsWritten events recorded by the application
 * @param eventsPersisted events that the sink has taken
 * @param eventsDropped events dropped
 * @param dropsByReason events dropped, by reason; every reason is there
 * @param poolFree rings in the pool now
 * @param poolFreeMinimum the fewest there ever were
 * @param poolExhaustedCount how often a writer found no ring in the pool
 * @param highWatermarkCrossings how often pressure began
 * @param lowWatermarkCrossings how often it ended
 * @param fillPercent how many of a hundred rings, not in use by writers, wait to be drained
 */
public record LaneMetrics(
    Lane lane,
    long eventsWritten,
    long eventsPersisted,
    long eventsDropped,
    Map<DropReason, Long> dropsByReason,
    int poolFree,
    int poolFreeMinimum,
    long poolExhaustedCount,
    long highWatermarkCrossings,
    long lowWatermarkCrossings,
    int fillPercent) {

  /** Copies the map. */
  public LaneMetrics {
    Map<DropReason, Long> copy = new EnumMap<>(DropReason.class);
    copy.putAll(dropsByReason);
    dropsByReason = Collections.unmodifiableMap(copy);
  }
}
