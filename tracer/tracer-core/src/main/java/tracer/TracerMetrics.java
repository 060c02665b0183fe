package tracer;

import java.util.List;

/**
 * The counters of a tracer. Rates are of the last whole second.
 *
 * @param lanes the counters of each lane
 * @param eventsPerSecond events recorded per second
 * @param peakEventsPerSecond the highest of these rates so far
 * @param dropsPerSecond events dropped per second
 * @param encoderLatencyP50Nanos the sink took no longer than this for half of its batches
 * @param encoderLatencyP95Nanos the same for 95 of 100 batches
 * @param encoderLatencyP99Nanos the same for 99 of 100 batches
 * @param diskBytesPerSecond bytes that the sink wrote per second
 * @param submitQueueSize sealed rings that wait for the drain
 */
public record TracerMetrics(
    List<LaneMetrics> lanes,
    double eventsPerSecond,
    double peakEventsPerSecond,
    double dropsPerSecond,
    long encoderLatencyP50Nanos,
    long encoderLatencyP95Nanos,
    long encoderLatencyP99Nanos,
    double diskBytesPerSecond,
    int submitQueueSize) {

  /** Copies the list. */
  public TracerMetrics {
    lanes = List.copyOf(lanes);
  }

  /** The counters of a lane. */
  public LaneMetrics lane(Lane lane) {
    return lanes.stream().filter(metrics -> metrics.lane() == lane).findFirst().orElseThrow();
  }
}
