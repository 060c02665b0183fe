package eventlog.spring;

import eventlog.AsyncEventLogger;
import eventlog.EventLogMeter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** The logger's counters as gauges, by the names in {@link EventLogMeter}. Stateless. */
final class EventLogMeters implements MeterBinder {
  private final AsyncEventLogger logger;

  EventLogMeters(AsyncEventLogger logger) {
    this.logger = logger;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (EventLogMeter meter : EventLogMeter.values()) {
      Gauge.builder(meter.meterName(), logger, from -> meter.value(from.metrics()))
          .description(meter.description())
          .register(registry);
    }
  }
}
