package holdfast.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.DoubleSupplier;

/** Registers numbers that a library keeps anyway. Stateless. */
public final class Meters {

  private Meters() {}

  /**
   * A number that only goes up.
   *
   * @param registry where
   * @param meter as what
   * @param tags with which tags
   * @param number reads it; kept as long as the registry is
   */
  public static void counter(
      MeterRegistry registry, ListedMeter meter, Tags tags, DoubleSupplier number) {
    // The function holds the number, which the counter would forget if nobody else did.
    FunctionCounter.builder(meter.meterName(), number, own -> number.getAsDouble())
        .tags(tags)
        .baseUnit(meter.info().unit())
        .description(meter.sentence())
        .register(registry);
  }

  /**
   * A number that goes up and down.
   *
   * @param registry where
   * @param meter as what
   * @param tags with which tags
   * @param number reads it; kept as long as the registry is
   */
  public static void gauge(
      MeterRegistry registry, ListedMeter meter, Tags tags, DoubleSupplier number) {
    Gauge.builder(meter.meterName(), number, DoubleSupplier::getAsDouble)
        .strongReference(true)
        .tags(tags)
        .baseUnit(meter.info().unit())
        .description(meter.sentence())
        .register(registry);
  }
}
