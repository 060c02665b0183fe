package holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.ledger.Ledger;
import holdfast.ledger.LedgerSnapshot;
import holdfast.ledger.Reason;
import holdfast.testkit.time.SettableTime;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LedgerMetricsTest {

  private enum Loss implements Reason {
    QUEUE_FULL;

    @Override
    public String code() {
      return "queue_full";
    }
  }

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final SettableTime time = new SettableTime();
  private final AtomicReference<LedgerSnapshot> table =
      new AtomicReference<>(
          new LedgerSnapshot("library", 5, 1, 2, Map.of(), Map.of("rows", 4L), 0));
  private final AtomicInteger reads = new AtomicInteger();

  private double counter(LedgerMeter meter) {
    return registry.get(meter.meterName()).functionCounter().count();
  }

  private double gauge(LedgerMeter meter) {
    return registry.get(meter.meterName()).gauge().value();
  }

  private void bindTable() {
    LedgerMetrics.of(
            "library",
            () -> {
              reads.incrementAndGet();
              LedgerSnapshot snapshot = table.get();
              if (snapshot == null) {
                throw new IllegalStateException("no table");
              }
              return snapshot;
            },
            Duration.ofSeconds(1),
            time)
        .bindTo(registry);
  }

  @Test
  void aLedgerShowsUnderTheListedNamesAndNoOthers() {
    Ledger ledger =
        Ledger.builder("library").reasons(List.of(Loss.values())).held("queue", () -> 3).build();
    ledger.accepted(6);
    ledger.recoveredAtStartup(1);
    ledger.delivered(2);
    ledger.lost(Loss.QUEUE_FULL, 2);

    LedgerMetrics.of(ledger).bindTo(registry);

    assertThat(counter(LedgerMeter.ACCEPTED)).isEqualTo(6);
    assertThat(counter(LedgerMeter.RECOVERED_AT_STARTUP)).isEqualTo(1);
    assertThat(counter(LedgerMeter.DELIVERED)).isEqualTo(2);
    assertThat(
            registry
                .get("holdfast.ledger.lost")
                .tags("library", "library", "reason", "queue_full")
                .functionCounter()
                .count())
        .isEqualTo(2);
    assertThat(
            registry
                .get("holdfast.ledger.held")
                .tags("library", "library", "place", "queue")
                .gauge())
        .satisfies(held -> assertThat(held.value()).isEqualTo(3));
    assertThat(gauge(LedgerMeter.IN_TRANSIT)).isZero();
    assertThat(gauge(LedgerMeter.UNACCOUNTED)).isZero();
    Set<String> names =
        registry.getMeters().stream().map(m -> m.getId().getName()).collect(Collectors.toSet());
    assertThat(names)
        .isEqualTo(
            Stream.of(LedgerMeter.values())
                .map(LedgerMeter::meterName)
                .collect(Collectors.toSet()));
  }

  @Test
  void oneScrapeReadsTheLedgerOnceAndALaterOneAgain() {
    bindTable();
    counter(LedgerMeter.ACCEPTED);
    gauge(LedgerMeter.HELD);

    assertThat(reads).hasValue(1);

    table.set(new LedgerSnapshot("library", 9, 1, 2, Map.of(), Map.of("rows", 8L), 0));
    time.advance(Duration.ofSeconds(1));

    assertThat(counter(LedgerMeter.ACCEPTED)).isEqualTo(9);
    assertThat(gauge(LedgerMeter.HELD)).isEqualTo(8);
    assertThat(reads).hasValue(2);
  }

  @Test
  void aLedgerThatCannotBeReadStopsTheCountersAndLeavesTheGaugesWithoutANumber() {
    bindTable();
    table.set(null);
    time.advance(Duration.ofSeconds(1));

    assertThat(counter(LedgerMeter.ACCEPTED)).isEqualTo(5);
    assertThat(gauge(LedgerMeter.HELD)).isNaN();

    table.set(new LedgerSnapshot("library", 7, 1, 2, Map.of(), Map.of("rows", 6L), 0));
    time.advance(Duration.ofSeconds(1));

    assertThat(counter(LedgerMeter.ACCEPTED)).isEqualTo(7);
    assertThat(gauge(LedgerMeter.HELD)).isEqualTo(6);
  }

  @Test
  void aLedgerThatCannotBeReadAtFirstGetsItsMetersLater() {
    LedgerSnapshot later = table.getAndSet(null);
    bindTable();

    assertThat(counter(LedgerMeter.ACCEPTED)).isZero();
    assertThat(registry.find(LedgerMeter.HELD.meterName()).gauge()).isNull();

    table.set(later);
    time.advance(Duration.ofSeconds(1));

    assertThat(counter(LedgerMeter.ACCEPTED)).isEqualTo(5);
    assertThat(gauge(LedgerMeter.HELD)).isEqualTo(4);
  }

  @Test
  void aReasonSeenLaterGetsItsMeter() {
    bindTable();
    table.set(new LedgerSnapshot("library", 7, 0, 2, Map.of("expired", 3L), Map.of("rows", 2L), 0));
    time.advance(Duration.ofSeconds(1));
    counter(LedgerMeter.ACCEPTED);

    assertThat(
            registry
                .get(LedgerMeter.LOST.meterName())
                .tag(LedgerMeter.REASON_TAG, "expired")
                .functionCounter()
                .count())
        .isEqualTo(3);
  }

  @Test
  void everyMeterSaysWhatItMeasures() {
    bindTable();

    assertThat(registry.getMeters())
        .allSatisfy(meter -> assertThat(meter.getId().getDescription()).endsWith("."));
    assertThat(LedgerMeter.ACCEPTED.kind()).isEqualTo(MeterInfo.Kind.COUNTER);
    assertThat(LedgerMeter.HELD.kind()).isEqualTo(MeterInfo.Kind.GAUGE);
  }
}
