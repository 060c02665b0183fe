package outbox.spring.boot;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToDoubleFunction;
import outbox.dispatch.OutboxDispatcher;

/**
 * The outbox's numbers in Micrometer registries, by the names in {@link OutboxMeter}. Safe for use
 * by many threads.
 */
final class OutboxMeters implements MeterBinder {
  private static final String MILLISECONDS = "milliseconds";

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
        case COUNTER ->
            // The function holds the counters, which the meter would forget if nobody else did.
            FunctionCounter.builder(meter.meterName(), counters, own -> counters.value(meter))
                .description(meter.sentence())
                .register(registry);
        case GAUGE ->
            Gauge.builder(meter.meterName(), this, gauge(meter))
                .strongReference(true)
                .baseUnit(meter == OutboxMeter.OLDEST_LAG ? MILLISECONDS : null)
                .description(meter.sentence())
                .register(registry);
        case TIMER ->
            timers.add(
                Timer.builder(meter.meterName()).description(meter.sentence()).register(registry));
      }
    }
  }

  /** Depths are asked for, not remembered: while all workers are busy, nobody reports them. */
  private static ToDoubleFunction<OutboxMeters> gauge(OutboxMeter meter) {
    return switch (meter) {
      case HOT_DEPTH -> own -> own.dispatcher.hotDepth();
      case COLD_DEPTH -> own -> own.dispatcher.coldDepth();
      default -> own -> own.counters.value(meter);
    };
  }
}
