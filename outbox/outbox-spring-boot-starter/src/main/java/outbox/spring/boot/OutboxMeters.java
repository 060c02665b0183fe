package outbox.spring.boot;

import holdfast.micrometer.Meters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.DoubleSupplier;
import outbox.dispatch.OutboxDispatcher;

/**
 * The outbox's numbers in Micrometer registries, by the names in {@link OutboxMeter}. Safe for use
 * by many threads.
 */
final class OutboxMeters implements MeterBinder {
  private static final double MILLIS_PER_SECOND = 1_000;

  private final OutboxCounters counters;
  private final OutboxDispatcher dispatcher;
  private final List<Timer> timers = new CopyOnWriteArrayList<>();

  OutboxMeters(OutboxCounters counters, OutboxDispatcher dispatcher) {
    this.counters = counters;
    this.dispatcher = dispatcher;
    counters.timeTo(nanos -> timers.forEach(timer -> timer.record(Duration.ofNanos(nanos))));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (OutboxMeter meter : OutboxMeter.values()) {
      switch (meter.kind()) {
        case COUNTER -> Meters.counter(registry, meter, Tags.empty(), () -> counters.value(meter));
        case GAUGE -> Meters.gauge(registry, meter, Tags.empty(), gauge(meter));
        case TIMER ->
            timers.add(
                Timer.builder(meter.meterName()).description(meter.sentence()).register(registry));
      }
    }
  }

  /** Depths are asked for, not remembered: while all workers are busy, nobody reports them. */
  private DoubleSupplier gauge(OutboxMeter meter) {
    return switch (meter) {
      case HOT_DEPTH -> dispatcher::hotDepth;
      case COLD_DEPTH -> dispatcher::coldDepth;
      case OLDEST_LAG ->
          () ->
              Math.max(counters.oldestLag().toMillis(), dispatcher.oldestInFlight().toMillis())
                  / MILLIS_PER_SECOND;
      case OLDEST_IN_FLIGHT -> () -> dispatcher.longestRunning().toMillis() / MILLIS_PER_SECOND;
      default -> () -> counters.value(meter);
    };
  }
}
