package outbox.spring.boot;

import holdfast.micrometer.MeterInfo;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import outbox.spi.MetricsExporter;

/**
 * What happened on this node, counted in memory, so that the endpoint has numbers without a meter
 * registry. Safe for use by many threads.
 */
final class OutboxCounters implements MetricsExporter {
  private final Map<OutboxMeter, LongAdder> counts = new EnumMap<>(OutboxMeter.class);
  private final Map<OutboxMeter, AtomicLong> gauges = new EnumMap<>(OutboxMeter.class);
  private volatile LongConsumer dispatchNanos = nanos -> {};

  OutboxCounters() {
    for (OutboxMeter meter : OutboxMeter.values()) {
      if (meter.kind() == MeterInfo.Kind.COUNTER) {
        counts.put(meter, new LongAdder());
      } else if (meter.kind() == MeterInfo.Kind.GAUGE) {
        gauges.put(meter, new AtomicLong());
      }
    }
  }

  /** The number a counter or gauge stands at. */
  long value(OutboxMeter meter) {
    LongAdder count = counts.get(meter);
    AtomicLong gauge = gauges.get(meter);
    return count != null ? count.sum() : gauge != null ? gauge.get() : 0;
  }

  /** Returns how long the oldest event that the last poll found has been due; zero for none. */
  Duration oldestLag() {
    return Duration.ofMillis(value(OutboxMeter.OLDEST_LAG));
  }

  /** All counters by the name of their meter. */
  Map<String, Long> counts() {
    Map<String, Long> all = new LinkedHashMap<>();
    counts.forEach((meter, count) -> all.put(meter.meterName(), count.sum()));
    return all;
  }

  /** Has the times of deliveries told to a timer as well. */
  void timeTo(LongConsumer timer) {
    dispatchNanos = timer;
  }

  private void count(OutboxMeter meter) {
    LongAdder count = counts.get(meter);
    if (count != null) {
      count.increment();
    }
  }

  private void set(OutboxMeter meter, long value) {
    AtomicLong gauge = gauges.get(meter);
    if (gauge != null) {
      gauge.set(value);
    }
  }

  @Override
  public void incrementHotEnqueued() {
    count(OutboxMeter.HOT_ENQUEUED);
  }

  @Override
  public void incrementHotDropped() {
    count(OutboxMeter.HOT_DROPPED);
  }

  @Override
  public void incrementColdEnqueued() {
    count(OutboxMeter.COLD_ENQUEUED);
  }

  @Override
  public void incrementDispatchSuccess() {
    count(OutboxMeter.DISPATCH_SUCCESS);
  }

  @Override
  public void incrementDispatchFailure() {
    count(OutboxMeter.DISPATCH_FAILURE);
  }

  @Override
  public void incrementDispatchDead() {
    count(OutboxMeter.DISPATCH_DEAD);
  }

  @Override
  public void incrementStaleOutcomes() {
    count(OutboxMeter.STALE_OUTCOMES);
  }

  @Override
  public void incrementLapsedClaims() {
    count(OutboxMeter.LAPSED_CLAIMS);
  }

  @Override
  public void incrementReleased() {
    count(OutboxMeter.RELEASED);
  }

  @Override
  public void incrementUnhandled() {
    count(OutboxMeter.UNHANDLED);
  }

  @Override
  public void recordQueueDepths(int hotDepth, int coldDepth) {
    set(OutboxMeter.HOT_DEPTH, hotDepth);
    set(OutboxMeter.COLD_DEPTH, coldDepth);
  }

  @Override
  public void recordOldestLagMs(long lagMs) {
    set(OutboxMeter.OLDEST_LAG, lagMs);
  }

  @Override
  public void recordDispatchNanos(long nanos) {
    dispatchNanos.accept(nanos);
  }
}
