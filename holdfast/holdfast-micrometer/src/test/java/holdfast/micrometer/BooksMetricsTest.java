package holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.ledger.Books;
import holdfast.ledger.Ledger;
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

class BooksMetricsTest {

  private enum Loss implements Reason {
    QUEUE_FULL;

    @Override
    public String code() {
      return "queue_full";
    }
  }

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final SettableTime time = new SettableTime();
  private final AtomicReference<Books> table =
      new AtomicReference<>(new Books("room", 5, 1, 2, Map.of(), Map.of("rows", 4L)));
  private final AtomicInteger reads = new AtomicInteger();

  private double counter(BooksMeter meter) {
    return registry.get(meter.meterName()).functionCounter().count();
  }

  private double gauge(BooksMeter meter) {
    return registry.get(meter.meterName()).gauge().value();
  }

  private void bindTable() {
    BooksMetrics.of(
            "room",
            () -> {
              reads.incrementAndGet();
              Books books = table.get();
              if (books == null) {
                throw new IllegalStateException("no table");
              }
              return books;
            },
            Duration.ofSeconds(1),
            time)
        .bindTo(registry);
  }

  @Test
  void aLedgerShowsUnderTheListedNamesAndNoOthers() {
    Ledger ledger =
        Ledger.builder("room").reasons(List.of(Loss.values())).held("queue", () -> 3).build();
    ledger.accepted(6);
    ledger.found(1);
    ledger.delivered(2);
    ledger.lost(Loss.QUEUE_FULL, 2);

    BooksMetrics.of(ledger).bindTo(registry);

    assertThat(counter(BooksMeter.ACCEPTED)).isEqualTo(6);
    assertThat(counter(BooksMeter.FOUND)).isEqualTo(1);
    assertThat(counter(BooksMeter.DELIVERED)).isEqualTo(2);
    assertThat(
            registry
                .get("holdfast.books.lost")
                .tags("room", "room", "reason", "queue_full")
                .functionCounter()
                .count())
        .isEqualTo(2);
    assertThat(registry.get("holdfast.books.held").tags("room", "room", "place", "queue").gauge())
        .satisfies(held -> assertThat(held.value()).isEqualTo(3));
    assertThat(gauge(BooksMeter.UNACCOUNTED)).isZero();
    Set<String> names =
        registry.getMeters().stream().map(m -> m.getId().getName()).collect(Collectors.toSet());
    assertThat(names)
        .isEqualTo(
            Stream.of(BooksMeter.values()).map(BooksMeter::meterName).collect(Collectors.toSet()));
  }

  @Test
  void oneScrapeReadsTheBooksOnceAndALaterOneAgain() {
    bindTable();
    counter(BooksMeter.ACCEPTED);
    gauge(BooksMeter.HELD);

    assertThat(reads).hasValue(1);

    table.set(new Books("room", 9, 1, 2, Map.of(), Map.of("rows", 8L)));
    time.advance(Duration.ofSeconds(1));

    assertThat(counter(BooksMeter.ACCEPTED)).isEqualTo(9);
    assertThat(gauge(BooksMeter.HELD)).isEqualTo(8);
    assertThat(reads).hasValue(2);
  }

  @Test
  void booksThatCannotBeReadStopTheCountersAndLeaveTheGaugesWithoutANumber() {
    bindTable();
    table.set(null);
    time.advance(Duration.ofSeconds(1));

    assertThat(counter(BooksMeter.ACCEPTED)).isEqualTo(5);
    assertThat(gauge(BooksMeter.HELD)).isNaN();

    table.set(new Books("room", 7, 1, 2, Map.of(), Map.of("rows", 6L)));
    time.advance(Duration.ofSeconds(1));

    assertThat(counter(BooksMeter.ACCEPTED)).isEqualTo(7);
    assertThat(gauge(BooksMeter.HELD)).isEqualTo(6);
  }

  @Test
  void booksThatCannotBeReadAtFirstGetTheirMetersLater() {
    Books later = table.getAndSet(null);
    bindTable();

    assertThat(counter(BooksMeter.ACCEPTED)).isZero();
    assertThat(registry.find(BooksMeter.HELD.meterName()).gauge()).isNull();

    table.set(later);
    time.advance(Duration.ofSeconds(1));

    assertThat(counter(BooksMeter.ACCEPTED)).isEqualTo(5);
    assertThat(gauge(BooksMeter.HELD)).isEqualTo(4);
  }

  @Test
  void aReasonSeenLaterGetsItsMeter() {
    bindTable();
    table.set(new Books("room", 7, 0, 2, Map.of("expired", 3L), Map.of("rows", 2L)));
    time.advance(Duration.ofSeconds(1));
    counter(BooksMeter.ACCEPTED);

    assertThat(
            registry
                .get(BooksMeter.LOST.meterName())
                .tag(BooksMeter.REASON_TAG, "expired")
                .functionCounter()
                .count())
        .isEqualTo(3);
  }

  @Test
  void everyMeterSaysWhatItMeasures() {
    bindTable();

    assertThat(registry.getMeters())
        .allSatisfy(meter -> assertThat(meter.getId().getDescription()).endsWith("."));
    assertThat(BooksMeter.ACCEPTED.kind()).isEqualTo(MeterInfo.Kind.COUNTER);
    assertThat(BooksMeter.HELD.kind()).isEqualTo(MeterInfo.Kind.GAUGE);
  }
}
