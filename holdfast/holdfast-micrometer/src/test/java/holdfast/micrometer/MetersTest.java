package holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Numbers of a room as meters of its list. */
class MetersTest {
  private static final ListedMeter SOLD =
      () -> MeterInfo.counter("shop.sold", "Things that were sold.");
  private static final ListedMeter WAIT =
      () -> MeterInfo.gaugeOf("seconds", "shop.wait", "How long the first one has waited.");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void aMeterIsWhatTheListSaysAndShowsTheNumberAsItIsNow() {
    AtomicLong number = new AtomicLong(1);
    Meters.counter(registry, SOLD, Tags.of("room", "corner"), number::get);
    Meters.gauge(registry, WAIT, Tags.empty(), number::get);
    number.set(3);

    FunctionCounter sold = registry.get("shop.sold").tag("room", "corner").functionCounter();
    assertThat(sold.count()).isEqualTo(3);
    assertThat(sold.getId().getDescription()).isEqualTo("Things that were sold.");
    Gauge wait = registry.get("shop.wait").gauge();
    assertThat(wait.value()).isEqualTo(3);
    assertThat(wait.getId().getBaseUnit()).isEqualTo("seconds");
    assertThat(wait.getId().getDescription()).isEqualTo("How long the first one has waited.");
  }

  @Test
  void theListTellsTheKindsApart() {
    assertThat(SOLD.kind()).isEqualTo(MeterInfo.Kind.COUNTER);
    assertThat(WAIT.kind()).isEqualTo(MeterInfo.Kind.GAUGE);
    assertThat(MeterInfo.gauge("a", "b").kind()).isEqualTo(MeterInfo.Kind.GAUGE);
    assertThat(MeterInfo.timer("a", "b").kind()).isEqualTo(MeterInfo.Kind.TIMER);
  }
}
