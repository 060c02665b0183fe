package tracer.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.micrometer.LedgerMeter;
import holdfast.testkit.time.SettableTime;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.search.RequiredSearch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tracer.DropReason;
import tracer.Lane;
import tracer.LaneMeter;
import tracer.TraceEvent;
import tracer.Tracer;
import tracer.TracerMeter;
import tracer.sink.MemorySink;

/** Forty-five events into rings of ten, four of them, while nothing is drained. */
class TracerMetersTest {
  private static final TraceEvent STEP = TraceEvent.named("meters.step");

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final Tracer tracer =
      Tracer.builder(new MemorySink())
          .time(new SettableTime())
          .producers(1)
          .peakRate(40)
          .burstWindow(Duration.ofSeconds(1))
          .largestDetail(300)
          .captureCrashes(false)
          .registerShutdownHook(false)
          .build();

  @BeforeEach
  void recordAndBind() {
    for (int i = 0; i < 45; i++) {
      tracer.index().record(STEP, i, -i);
    }
    TracerMeters.of(tracer).bindTo(registry);
  }

  @AfterEach
  void close() {
    tracer.close();
    registry.close();
  }

  private RequiredSearch find(LaneMeter meter, Lane lane) {
    String name = lane == Lane.INDEX ? "index" : lane == Lane.DETAIL ? "detail" : "critical";
    return registry.get(meter.meterName()).tag(TracerMeters.LANE_TAG, name);
  }

  private double dropped(DropReason reason) {
    return find(LaneMeter.EVENTS_DROPPED, Lane.INDEX)
        .tag(TracerMeters.REASON_TAG, reason.code())
        .functionCounter()
        .count();
  }

  @Test
  void severalTracersAreToldApartByTags() {
    Tracer other = Tracer.builder(new MemorySink()).captureCrashes(false).build();
    other.index().record(STEP, 1, 2);
    TracerMeters.of(other).withTags(Tags.of("tracer", "other")).bindTo(registry);

    for (String name : List.of(LaneMeter.EVENTS_WRITTEN.meterName(), "holdfast.ledger.accepted")) {
      assertThat(registry.get(name).tag("tracer", "other").functionCounters())
          .anyMatch(counter -> counter.count() == 1);
    }
    other.close();
  }

  @Test
  void whatOnlyGrowsIsACounterAndTheRestAreGauges() {
    assertThat(find(LaneMeter.EVENTS_WRITTEN, Lane.INDEX).functionCounter().count()).isEqualTo(45);
    assertThat(find(LaneMeter.EVENTS_WRITTEN, Lane.DETAIL).functionCounter().count()).isZero();
    assertThat(find(LaneMeter.WATERMARK_HIGH, Lane.INDEX).functionCounter().count()).isEqualTo(1);
    assertThat(find(LaneMeter.FILL, Lane.INDEX).gauge().value()).isEqualTo(100);
    assertThat(find(LaneMeter.POOL_FREE, Lane.CRITICAL).gauge().value()).isEqualTo(2);
    assertThat(registry.get(TracerMeter.SUBMIT_QUEUE_SIZE.meterName()).gauge().value())
        .isEqualTo(3);
  }

  @Test
  void dropsAreCountedByLaneAndReason() {
    assertThat(dropped(DropReason.POOL_EXHAUSTED)).isEqualTo(10);
    assertThat(dropped(DropReason.RING_FULL)).isZero();
    assertThat(registry.get(LaneMeter.EVENTS_DROPPED.meterName()).functionCounters())
        .hasSize(Lane.values().length * DropReason.values().length);
  }

  @Test
  void theLedgerIsBoundToo() {
    assertThat(registry.get(LedgerMeter.ACCEPTED.meterName()).functionCounter().count())
        .isEqualTo(45);
    assertThat(registry.get(LedgerMeter.UNACCOUNTED.meterName()).gauge().value()).isZero();
  }

  @Test
  void everyMeterOfTheListsIsThere() {
    assertThat(registry.getMeters().stream().map(Meter::getId).map(Meter.Id::getName))
        .containsAll(
            Stream.concat(
                    Arrays.stream(LaneMeter.values()).map(LaneMeter::meterName),
                    Arrays.stream(TracerMeter.values()).map(TracerMeter::meterName))
                .toList());
  }
}
