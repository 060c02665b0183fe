package tracer.micrometer;

import holdfast.micrometer.LedgerMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import tracer.DropReason;
import tracer.Lane;
import tracer.LaneMeter;
import tracer.LaneMetrics;
import tracer.Tracer;
import tracer.TracerMeter;

/**
 * A tracer's numbers as meters, by the names in {@link LaneMeter} and {@link TracerMeter}, and its
 * ledger.
 *
 * <pre>{@code
 * TracerMeters.of(tracer).bindTo(registry);
 * }</pre>
 *
 * <p>Meters of lanes have a tag {@code lane}; drops have a tag {@code reason} too, so that their
 * sum is what a lane has dropped. Reading them costs those who record nothing. Immutable.
 */
public final class TracerMeters implements MeterBinder {
  /** The tag that names a lane in lower case: {@value}. */
  public static final String LANE_TAG = "lane";

  /** The tag that names why events were dropped, by {@link DropReason#code()}: {@value}. */
  public static final String REASON_TAG = "reason";

  private final Tracer tracer;
  private final Tags more;

  private TracerMeters(Tracer tracer, Tags more) {
    this.tracer = tracer;
    this.more = more;
  }

  /**
   * The meters of a tracer.
   *
   * @param tracer the tracer; meters stay readable when it is closed
   * @return what binds them
   */
  public static TracerMeters of(Tracer tracer) {
    return new TracerMeters(tracer, Tags.empty());
  }

  /**
   * The same with further tags, by which several tracers are told apart in one registry.
   *
   * @param tags the tags of all meters
   * @return what binds them
   */
  public TracerMeters withTags(Iterable<Tag> tags) {
    return new TracerMeters(tracer, more.and(tags));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    for (TracerMeter meter : TracerMeter.values()) {
      Gauge.builder(meter.meterName(), tracer, from -> meter.value(from.metrics()))
          .strongReference(true)
          .tags(more)
          .description(meter.description())
          .register(registry);
    }
    for (Lane lane : Lane.values()) {
      bindLane(registry, lane);
    }
    LedgerMetrics.of("tracer", tracer::ledger).withTags(more).bindTo(registry);
  }

  private void bindLane(MeterRegistry registry, Lane lane) {
    Tags tags = more.and(LANE_TAG, lane.name().toLowerCase(Locale.ROOT));
    for (LaneMeter meter : LaneMeter.values()) {
      if (meter == LaneMeter.EVENTS_DROPPED) {
        for (DropReason reason : DropReason.values()) {
          Tags its = tags.and(REASON_TAG, reason.code());
          count(registry, meter, its, lane, of -> of.dropsByReason().getOrDefault(reason, 0L));
        }
      } else if (meter.kind() == LaneMeter.Kind.COUNTER) {
        count(registry, meter, tags, lane, meter::value);
      } else {
        Gauge.builder(meter.meterName(), tracer, from -> meter.value(from.metrics().lane(lane)))
            .strongReference(true)
            .tags(tags)
            .description(meter.description())
            .register(registry);
      }
    }
  }

  private void count(
      MeterRegistry registry,
      LaneMeter meter,
      Tags tags,
      Lane lane,
      ToDoubleFunction<LaneMetrics> value) {
    // The function itself holds the tracer, which the counter would forget if nobody else did.
    FunctionCounter.builder(
            meter.meterName(), tracer, from -> value.applyAsDouble(tracer.metrics().lane(lane)))
        .tags(tags)
        .description(meter.description())
        .register(registry);
  }
}
