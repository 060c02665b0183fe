package holdfast.micrometer;

import holdfast.ledger.Books;
import holdfast.ledger.Ledger;
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
 * The books of one room as meters, by the names in {@link BooksMeter}.
 *
 * <pre>{@code
 * BooksMetrics.of(ledger).bindTo(registry);
 * }</pre>
 *
 * <p>Reasons and places get their meters when they are first seen in the books. While books cannot
 * be read, counters stand still and gauges show no number; nothing is thrown into the registry.
 * Safe for use by many threads.
 */
public final class BooksMetrics implements MeterBinder {
  /** How long books are good for unless told otherwise, so that one scrape reads them once. */
  public static final Duration DEFAULT_MAX_AGE = Duration.ofSeconds(1);

  private final String room;
  private final BooksReading reading;
  private final Tags more;

  private BooksMetrics(String room, BooksReading reading, Tags more) {
    this.room = room;
    this.reading = reading;
    this.more = more;
  }

  /**
   * The books of a ledger.
   *
   * @param ledger the ledger
   * @return what binds them
   */
  public static BooksMetrics of(Ledger ledger) {
    return of(ledger.books().room(), ledger::books);
  }

  /**
   * The books of a room that keeps them elsewhere, in a table say.
   *
   * @param room the room's word
   * @param books reads them; may throw while they cannot be read
   * @return what binds them
   */
  public static BooksMetrics of(String room, Supplier<Books> books) {
    return of(room, books, DEFAULT_MAX_AGE, TimeSource.system());
  }

  /**
   * The same, with the time books are good for.
   *
   * @param room the room's word
   * @param books reads them; may throw while they cannot be read
   * @param maxAge how old the books behind a meter may be
   * @param time the clock to measure that by
   * @return what binds them
   */
  public static BooksMetrics of(
      String room, Supplier<Books> books, Duration maxAge, TimeSource time) {
    return new BooksMetrics(room, new BooksReading(room, books, maxAge, time), Tags.empty());
  }

  /**
   * The same with further tags, by which several of one room are told apart in one registry.
   *
   * @param tags the tags of all meters
   * @return what binds them
   */
  public BooksMetrics withTags(Iterable<Tag> tags) {
    return new BooksMetrics(room, reading, more.and(tags));
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Tags tags = more.and(BooksMeter.ROOM_TAG, room);
    count(registry, BooksMeter.ACCEPTED, tags, Books::accepted);
    count(registry, BooksMeter.FOUND, tags, Books::found);
    count(registry, BooksMeter.DELIVERED, tags, Books::delivered);
    gauge(registry, BooksMeter.UNACCOUNTED, tags, Books::unaccounted);
    Set<String> known = ConcurrentHashMap.newKeySet();
    reading.onEach(books -> bindNew(registry, tags, books, known));
    reading.current();
  }

  private void bindNew(MeterRegistry registry, Tags tags, Books books, Set<String> known) {
    for (String reason : books.lostByReason().keySet()) {
      if (known.add(BooksMeter.REASON_TAG + "=" + reason)) {
        Tags its = tags.and(BooksMeter.REASON_TAG, reason);
        count(registry, BooksMeter.LOST, its, b -> b.lostByReason().getOrDefault(reason, 0L));
      }
    }
    for (String place : books.measuredByPlace().keySet()) {
      if (known.add(BooksMeter.PLACE_TAG + "=" + place)) {
        Tags its = tags.and(BooksMeter.PLACE_TAG, place);
        gauge(registry, BooksMeter.HELD, its, b -> b.measuredByPlace().getOrDefault(place, 0L));
      }
    }
  }

  private void count(
      MeterRegistry registry, BooksMeter meter, Tags tags, ToDoubleFunction<Books> value) {
    Meters.counter(registry, meter, tags, () -> lastCount(value));
  }

  private void gauge(
      MeterRegistry registry, BooksMeter meter, Tags tags, ToDoubleFunction<Books> value) {
    Meters.gauge(registry, meter, tags, () -> now(value));
  }

  private double lastCount(ToDoubleFunction<Books> value) {
    reading.current();
    Books last = reading.last();
    return last == null ? 0 : value.applyAsDouble(last);
  }

  private double now(ToDoubleFunction<Books> value) {
    Books current = reading.current();
    return current == null ? Double.NaN : value.applyAsDouble(current);
  }
}
