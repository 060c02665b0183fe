package eventbus.spring.boot;

import eventbus.Counts;
import eventbus.EventBus;
import eventbus.EventBusException;
import holdfast.micrometer.Meters;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.ToLongFunction;

/**
 * The numbers of the event bus in Micrometer registries, by the names in {@link EventBusMeter}.
 * While the database cannot be asked, gauges of the table show no number. Safe for use by many
 * threads.
 */
final class EventBusMeters implements MeterBinder {
  private static final double NANOS_PER_SECOND = 1e9;

  private final EventBus bus;
  private final BacklogReading backlog;

  EventBusMeters(EventBus bus, BacklogReading backlog) {
    this.bus = bus;
    this.backlog = backlog;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    count(registry, EventBusMeter.PUBLISHED, Counts::published);
    count(registry, EventBusMeter.ACQUIRED, Counts::acquired);
    count(registry, EventBusMeter.COMPLETED, Counts::completed);
    count(registry, EventBusMeter.FAILED, Counts::failed);
    count(registry, EventBusMeter.RETRIED, Counts::retried);
    count(registry, EventBusMeter.RELEASED, Counts::released);
    count(registry, EventBusMeter.STALE, Counts::stale);
    count(registry, EventBusMeter.LAPSED, Counts::lapsed);
    gauge(registry, EventBusMeter.IN_FLIGHT, bus::inFlight);
    gauge(registry, EventBusMeter.DEPTH, () -> backlog.current().depth());
    gauge(registry, EventBusMeter.DUE, () -> backlog.current().due());
    gauge(registry, EventBusMeter.UNHANDLED, () -> backlog.current().unhandled());
    gauge(registry, EventBusMeter.OLDEST_AGE, () -> seconds(backlog.current().oldest()));
    gauge(registry, EventBusMeter.LAG, () -> seconds(bus.lag()));
    gauge(registry, EventBusMeter.OLDEST_IN_FLIGHT, () -> seconds(bus.longestRunning()));
    EventBusMeter time = EventBusMeter.HANDLER_TIME;
    FunctionTimer.builder(
            time.meterName(),
            bus,
            own -> own.counts().handled(),
            own -> bus.counts().handlingNanos(),
            TimeUnit.NANOSECONDS)
        .description(time.sentence())
        .register(registry);
  }

  private void count(MeterRegistry registry, EventBusMeter meter, ToLongFunction<Counts> number) {
    Meters.counter(registry, meter, Tags.empty(), () -> number.applyAsLong(bus.counts()));
  }

  private static void gauge(MeterRegistry registry, EventBusMeter meter, DoubleSupplier number) {
    Meters.gauge(registry, meter, Tags.empty(), () -> orNone(number));
  }

  private static double orNone(DoubleSupplier number) {
    try {
      return number.getAsDouble();
    } catch (EventBusException e) {
      return Double.NaN; // the health says why, and the log
    }
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / NANOS_PER_SECOND;
  }
}
