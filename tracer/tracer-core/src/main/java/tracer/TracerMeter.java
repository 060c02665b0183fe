package tracer;

import java.util.function.ToDoubleFunction;

/** The meters of a tracer as a whole, all gauges; those of its lanes are {@link LaneMeter}. */
public enum TracerMeter {
  /** The rate of events. */
  EVENTS_PER_SECOND(
      "tracer.events.rate", "Events recorded per second", TracerMetrics::eventsPerSecond),
  /** The highest rate of events. */
  PEAK_EVENTS_PER_SECOND(
      "tracer.events.rate.peak",
      "The highest rate of events so far",
      TracerMetrics::peakEventsPerSecond),
  /** The rate of drops. */
  DROPS_PER_SECOND("tracer.drops.rate", "Events dropped per second", TracerMetrics::dropsPerSecond),
  /** The median. */
  ENCODER_LATENCY_P50(
      "tracer.encoder.latency.p50",
      "Nanoseconds the sink takes for a batch, median",
      TracerMetrics::encoderLatencyP50Nanos),
  /** The 95th percentile. */
  ENCODER_LATENCY_P95(
      "tracer.encoder.latency.p95",
      "Nanoseconds the sink takes for a batch, 95th percentile",
      TracerMetrics::encoderLatencyP95Nanos),
  /** The 99th percentile. */
  ENCODER_LATENCY_P99(
      "tracer.encoder.latency.p99",
      "Nanoseconds the sink takes for a batch, 99th percentile",
      TracerMetrics::encoderLatencyP99Nanos),
  /** The rate of bytes. */
  DISK_BYTES_PER_SECOND(
      "tracer.disk.rate",
      "Bytes that the sink writes per second",
      TracerMetrics::diskBytesPerSecond),
  /** The queue. */
  SUBMIT_QUEUE_SIZE(
      "tracer.queue.size", "Sealed rings that wait for the sink", TracerMetrics::submitQueueSize);

  private final String meterName;
  private final String description;

  @SuppressWarnings("ImmutableEnumChecker") // functions without a state
  private final ToDoubleFunction<TracerMetrics> value;

  TracerMeter(String meterName, String description, ToDoubleFunction<TracerMetrics> value) {
    this.meterName = meterName;
    this.description = description;
    this.value = value;
  }

  /** The name of the meter. */
  public String meterName() {
    return meterName;
  }

  /** What it shows. */
  public String description() {
    return description;
  }

  /** Its value among these counters. */
  public double value(TracerMetrics metrics) {
    return value.applyAsDouble(metrics);
  }
}
