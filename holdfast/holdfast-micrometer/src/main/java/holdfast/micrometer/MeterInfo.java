package holdfast.micrometer;

import org.jspecify.annotations.Nullable;

/**
 * What a library's list of meters says of one. Immutable.
 *
 * @param name its name in the registry
 * @param kind how its value moves
 * @param unit what its number counts, where that is not things; null if it is
 * @param sentence what it measures
 */
public record MeterInfo(String name, Kind kind, @Nullable String unit, String sentence) {

  /** How a meter's value moves. */
  public enum Kind {
    /** Only up. */
    COUNTER,
    /** Up and down. */
    GAUGE,
    /** Counts and adds up times. */
    TIMER
  }

  /** A meter that only goes up. */
  public static MeterInfo counter(String name, String sentence) {
    return new MeterInfo(name, Kind.COUNTER, null, sentence);
  }

  /** A meter that goes up and down. */
  public static MeterInfo gauge(String name, String sentence) {
    return new MeterInfo(name, Kind.GAUGE, null, sentence);
  }

  /** A meter that goes up and down, of something that has a unit. */
  public static MeterInfo gaugeOf(String unit, String name, String sentence) {
    return new MeterInfo(name, Kind.GAUGE, unit, sentence);
  }

  /** A meter that counts and adds up times. */
  public static MeterInfo timer(String name, String sentence) {
    return new MeterInfo(name, Kind.TIMER, null, sentence);
  }
}
