package outbox.spring.boot;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/** The outbox's counters in a Micrometer registry. Safe for use by many threads. */
final class OutboxMeters {

  OutboxMeters(MeterRegistry registry, OutboxCounters counters) {
    for (OutboxMeter meter : OutboxMeter.values()) {
      switch (meter.kind()) {
        case COUNTER ->
            // The function holds the counters, which the meter would forget if nobody else did.
            FunctionCounter.builder(meter.meterName(), counters, own -> counters.value(meter))
                .description(meter.sentence())
                .register(registry);
        case GAUGE ->
            Gauge.builder(meter.meterName(), () -> counters.value(meter))
                .description(meter.sentence())
                .register(registry);
        case TIMER -> {
          Timer timer =
              Timer.builder(meter.meterName()).description(meter.sentence()).register(registry);
          counters.timeTo(nanos -> timer.record(Duration.ofNanos(nanos)));
        }
      }
    }
  }
}
