package failover.spring.boot;

import failover.observe.internal.FailoverMeter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;
import java.util.function.Function;

/**
 * Counts, times and gauges in all registries that are bound, whichever comes first. Safe for use by
 * many threads.
 */
final class MeterSet {
  private static final double[] PERCENTILES = {0.5, 0.95, 0.99};

  private final Function<MeterRegistry, Tags> ownTags;
  private final boolean histograms;
  private final List<MeterRegistry> registries = new ArrayList<>(); // guarded by this
  private final Map<Key, Bound> all = new LinkedHashMap<>(); // guarded by this

  private record Key(FailoverMeter meter, List<String> values) {}

  /** Puts a meter into a registry. */
  interface Bound {
    void bindTo(MeterRegistry registry);
  }

  /**
   * No meters yet.
   *
   * @param ownTags what every meter in a registry is tagged with
   * @param histograms whether timers have buckets and percentiles
   */
  MeterSet(Function<MeterRegistry, Tags> ownTags, boolean histograms) {
    this.ownTags = ownTags;
    this.histograms = histograms;
  }

  synchronized void bindTo(MeterRegistry registry) {
    registries.add(registry);
    all.values().forEach(meter -> meter.bindTo(registry));
  }

  private Tags tags(Key key, MeterRegistry registry) {
    List<Tag> tags = new ArrayList<>();
    for (int i = 0; i < key.values.size(); i++) {
      tags.add(Tag.of(key.meter.tags().get(i), key.values.get(i)));
    }
    return ownTags.apply(registry).and(tags);
  }

  private void add(Key key, Bound meter) {
    all.put(key, meter);
    registries.forEach(meter::bindTo);
  }

  /** A counter that only goes up. */
  private record Count(LongAdder adder, Bound binding) implements Bound {
    @Override
    public void bindTo(MeterRegistry registry) {
      binding.bindTo(registry);
    }
  }

  /** The counter with these tags. */
  synchronized LongAdder count(FailoverMeter meter, String... values) {
    Key key = new Key(meter, List.of(values));
    if (all.get(key) instanceof Count known) {
      return known.adder;
    }
    LongAdder adder = new LongAdder();
    add(key, new Count(adder, counting(key, adder::sum)));
    return adder;
  }

  /** A counter that is kept elsewhere. */
  synchronized void counted(FailoverMeter meter, DoubleSupplier value, String... values) {
    Key key = new Key(meter, List.of(values));
    add(key, counting(key, value));
  }

  private Bound counting(Key key, DoubleSupplier value) {
    return registry ->
        // The function holds the value, which the meter would forget if nobody else did.
        FunctionCounter.builder(key.meter.meterName(), this, own -> value.getAsDouble())
            .tags(tags(key, registry))
            .description(key.meter.description())
            .register(registry);
  }

  /** A gauge with these tags. */
  synchronized void gauge(FailoverMeter meter, DoubleSupplier value, String... values) {
    Key key = new Key(meter, List.of(values));
    add(
        key,
        registry ->
            Gauge.builder(meter.meterName(), this, own -> value.getAsDouble())
                .strongReference(true)
                .tags(tags(key, registry))
                .description(meter.description())
                .register(registry));
  }

  /** Timers of the same name and tags. Without histograms they count and add up only. */
  final class Times implements Bound {
    private final Key key;
    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final List<Timer> timers = new CopyOnWriteArrayList<>();

    private Times(Key key) {
      this.key = key;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
      if (!histograms) {
        FunctionTimer.builder(
                key.meter.meterName(),
                this,
                own -> own.count.sum(),
                own -> own.nanos.sum(),
                TimeUnit.NANOSECONDS)
            .tags(tags(key, registry))
            .description(key.meter.description())
            .register(registry);
        return;
      }
      Timer.Builder builder =
          Timer.builder(key.meter.meterName())
              .tags(tags(key, registry))
              .description(key.meter.description())
              .publishPercentileHistogram(true);
      if (key.meter == FailoverMeter.OPERATION_DURATION) {
        builder.publishPercentiles(PERCENTILES);
      }
      timers.add(builder.register(registry));
    }

    void record(long took) {
      if (!histograms) {
        count.increment();
        nanos.add(took);
      } else {
        timers.forEach(timer -> timer.record(took, TimeUnit.NANOSECONDS));
      }
    }
  }

  /** The timers with these tags. */
  synchronized Times times(FailoverMeter meter, String... values) {
    Key key = new Key(meter, List.of(values));
    Times times = new Times(key);
    add(key, times);
    return times;
  }
}
