package failover.expiry;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How long an answer stays good: an amount of a unit, which may be of the calendar. Immutable.
 *
 * @param amount how many, 1 or more
 * @param unit of what
 */
public record Expiry(long amount, ChronoUnit unit) {
  /** Units that texts have, the largest first. */
  private static final Map<ChronoUnit, String> SYMBOLS = symbols();

  /** An hour, unless a point says otherwise. */
  public static final Expiry DEFAULT = new Expiry(1, ChronoUnit.HOURS);

  /**
   * Checks the amount.
   *
   * @throws IllegalArgumentException if the amount is not 1 or more, or leads beyond all time
   */
  public Expiry {
    if (amount < 1) {
      throw new IllegalArgumentException("expiry must be 1 or more but was " + amount);
    }
    try {
      after(amount, unit, Instant.EPOCH);
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "expiry must end within the calendar but was %d %s".formatted(amount, unit), e);
    }
  }

  /**
   * An expiry of that length.
   *
   * @throws IllegalArgumentException if it is not more than zero, or more than 292 years
   */
  public static Expiry of(Duration duration) {
    try {
      return inLargestUnit(duration.toNanos());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("expiry must be 292 years or less but was " + duration, e);
    }
  }

  private static Expiry inLargestUnit(long nanos) {
    return SYMBOLS.keySet().stream()
        .filter(unit -> nanos % unit.getDuration().toNanos() == 0)
        .findFirst()
        .map(unit -> new Expiry(nanos / unit.getDuration().toNanos(), unit))
        .orElseGet(() -> new Expiry(nanos, ChronoUnit.NANOS));
  }

  /** The last moment at which an answer from that moment is good. */
  public Instant after(Instant asOf) {
    return after(amount, unit, asOf);
  }

  /** Its length from that moment on. */
  public Duration lengthFrom(Instant asOf) {
    return Duration.between(asOf, after(asOf));
  }

  private static Instant after(long amount, ChronoUnit unit, Instant asOf) {
    return unit.isTimeBased() || unit == ChronoUnit.DAYS
        ? asOf.plus(amount, unit) // the same without a calendar, which takes its time
        : asOf.atZone(ZoneOffset.UTC).plus(amount, unit).toInstant();
  }

  private static Map<ChronoUnit, String> symbols() {
    Map<ChronoUnit, String> symbols = new LinkedHashMap<>();
    symbols.put(ChronoUnit.DAYS, "d");
    symbols.put(ChronoUnit.HOURS, "h");
    symbols.put(ChronoUnit.MINUTES, "m");
    symbols.put(ChronoUnit.SECONDS, "s");
    symbols.put(ChronoUnit.MILLIS, "ms");
    return symbols;
  }

  /** Returns it as the annotation has it, such as {@code 6h}, or as in {@code 2 months}. */
  @Override
  public String toString() {
    String symbol = SYMBOLS.get(unit);
    return symbol == null
        ? amount + " " + unit.toString().toLowerCase(Locale.ROOT)
        : amount + symbol;
  }
}
