package tracer;

import java.util.function.ToDoubleFunction;

/**
 * The meters of each lane, tagged {@code lane}; drops by reason are tagged {@code reason} too and
 * come from {@link LaneMetrics#dropsByReason()}.
 */
public enum LaneMeter {
  /** Recorded. */
  EVENTS_WRITTEN(
      "tracer.events.written",
      Kind.COUNTER,
      "Events recorded by the application",
      LaneMetrics::eventsWritten),
  /** With the sink. */
  EVENTS_PERSISTED(
      "tracer.events.persisted",
      Kind.COUNTER,
      "Events that the sink has taken",
      LaneMetrics::eventsPersisted),
  /** Dropped. */
  EVENTS_DROPPED(
      "tracer.events.dropped", Kind.COUNTER, "Events dropped", LaneMetrics::eventsDropped),
  /** Rings in the pool. */
  POOL_FREE("tracer.pool.free", Kind.GAUGE, "Rings in the pool", LaneMetrics::poolFree),
  /** The fewest rings. */
  POOL_FREE_MINIMUM(
      "tracer.pool.free.minimum",
      Kind.GAUGE,
      "The fewest rings there ever were in the pool",
      LaneMetrics::poolFreeMinimum),
  /** No ring. */
  POOL_EXHAUSTED(
      "tracer.pool.exhausted",
      Kind.COUNTER,
      "How often a writer found no ring in the pool",
      LaneMetrics::poolExhaustedCount),
  /** Pressure began. */
  WATERMARK_HIGH(
      "tracer.watermark.high",
      Kind.COUNTER,
      "Upward crossings of the high watermark",
      LaneMetrics::highWatermarkCrossings),
  /** Pressure ended. */
  WATERMARK_LOW(
      "tracer.watermark.low",
      Kind.COUNTER,
      "Downward crossings of the low watermark",
      LaneMetrics::lowWatermarkCrossings),
  /** The fill. */
  FILL(
      "tracer.fill",
      Kind.GAUGE,
      "Percent of the rings not in use that wait",
      LaneMetrics::fillPercent);

  /** How a meter's value moves. */
  public enum Kind {
    /** Only up. */
    COUNTER,
    /** Up and down. */
    GAUGE
  }

  private final String meterName;
  private final Kind kind;
  private final String description;

  @SuppressWarnings("ImmutableEnumChecker") // functions without a state
  private final ToDoubleFunction<LaneMetrics> value;

  LaneMeter(String meterName, Kind kind, String description, ToDoubleFunction<LaneMetrics> value) {
    this.meterName = meterName;
    this.kind = kind;
    this.description = description;
    this.value = value;
  }

  /** The name of the meter. */
  public String meterName() {
    return meterName;
  }

  /** How its value moves. */
  public Kind kind() {
    return kind;
  }

  /** What it shows. */
  public String description() {
    return description;
  }

  /** Its value among these counters. */
  public double value(LaneMetrics metrics) {
    return value.applyAsDouble(metrics);
  }
}
