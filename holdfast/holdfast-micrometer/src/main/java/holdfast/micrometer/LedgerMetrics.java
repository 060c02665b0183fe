package holdfast.micrometer;

import holdfast.ledger.Ledger;
import holdfast.ledger.LedgerSnapshot;
import holdfast.time.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Shows the delivery ledger of one library as meters, by the names in {@link LedgerMeter}.
 *
 * <pre>{@code
 * LedgerMetrics.of(ledger).bindTo(registry);
 * }</pre>
 *
 * <p>Reasons and places get their meters when they are first seen in the ledger. While the ledger
 * cannot be read, counters stand still and gauges show no number; nothing is thrown into the
 * registry. Safe for use by many threads.
 */
public final class LedgerMetrics implements MeterBinder {
  /** How old a snapshot may be unless configured, so that one scrape reads the ledger once. */
  public static final Duration DEFAULT_MAX_AGE = Duration.ofSeconds(1);

  private final String library;
  private final LedgerReading reading;
  private final Tags more;

  private LedgerMetrics(String library, LedgerReading reading, Tags more) {
    this.library = library;
    this.reading = reading;
    this.more = more;
  }

  /**
   * Binds the ledger of a process.
   *
   * @param ledger the ledger
   * @return the binder
   */
  public static LedgerMetrics of(Ledger ledger) {
    return of(ledger.snapshot().library(), ledger::snapshot);
  }

  /**
   * Binds a ledger that is kept elsewhere, in a table for example.
   *
   * @param library the library
   * @param ledger reads it; may throw while it cannot be read
   * @return the binder
   */
  public static LedgerMetrics of(String library, Supplier<LedgerSnapshot> ledger) {
    return of(library, ledger, DEFAULT_MAX_AGE, TimeSource.system());
  }

  /**
   * Binds a ledger that is kept elsewhere and expensive to read.
   *
   * @param library the library
   * @param ledger reads it; may throw while it cannot be read
   * @param maxAge how old the snapshot behind a meter may be
   * @param time the clock that measures the age
   * @return the binder
   */
  public static LedgerMetrics of(
      String library, Supplier<LedgerSnapshot> ledger, Duration maxAge, TimeSource time) {
    return new LedgerMetrics(
        library, new LedgerReading(library, ledger, maxAge, time), Tags.empty());
  }

  /**
   * Adds tags, which tell several instances of one library apart in one registry.
   *
   * @param tags the tags of all meters
   * @return the binder
   */
  public LedgerMetrics withTags(Iterable<Tag> tags) {
    return new LedgerMetrics(library, reading, more.and(tags));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Tags tags = more.and(LedgerMeter.LIBRARY_TAG, library);
    count(registry, LedgerMeter.ACCEPTED, tags, LedgerSnapshot::accepted);
    count(registry, LedgerMeter.RECOVERED_AT_STARTUP, tags, LedgerSnapshot::recoveredAtStartup);
    count(registry, LedgerMeter.DELIVERED, tags, LedgerSnapshot::delivered);
    gauge(registry, LedgerMeter.IN_TRANSIT, tags, LedgerSnapshot::inTransit);
    gauge(registry, LedgerMeter.UNACCOUNTED, tags, LedgerSnapshot::unaccounted);
    Set<String> known = ConcurrentHashMap.newKeySet();
    reading.onEach(snapshot -> bindNew(registry, tags, snapshot, known));
    reading.current();
  }

  private void bindNew(
      MeterRegistry registry, Tags tags, LedgerSnapshot snapshot, Set<String> known) {
    for (String reason : snapshot.lostByReason().keySet()) {
      if (known.add(LedgerMeter.REASON_TAG + "=" + reason)) {
        Tags its = tags.and(LedgerMeter.REASON_TAG, reason);
        count(registry, LedgerMeter.LOST, its, b -> b.lostByReason().getOrDefault(reason, 0L));
      }
    }
    for (String place : snapshot.heldByPlace().keySet()) {
      if (known.add(LedgerMeter.PLACE_TAG + "=" + place)) {
        Tags its = tags.and(LedgerMeter.PLACE_TAG, place);
        gauge(registry, LedgerMeter.HELD, its, b -> b.heldByPlace().getOrDefault(place, 0L));
      }
    }
  }

  private void count(
      MeterRegistry registry,
      LedgerMeter meter,
      Tags tags,
      ToDoubleFunction<LedgerSnapshot> value) {
    Meters.counter(registry, meter, tags, () -> lastCount(value));
  }

  private void gauge(
      MeterRegistry registry,
      LedgerMeter meter,
      Tags tags,
      ToDoubleFunction<LedgerSnapshot> value) {
    Meters.gauge(registry, meter, tags, () -> now(value));
  }

  private double lastCount(ToDoubleFunction<LedgerSnapshot> value) {
    reading.current();
    LedgerSnapshot last = reading.last();
    return last == null ? 0 : value.applyAsDouble(last);
  }

  private double now(ToDoubleFunction<LedgerSnapshot> value) {
    LedgerSnapshot current = reading.current();
    return current == null ? Double.NaN : value.applyAsDouble(current);
  }
}
