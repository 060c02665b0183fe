package holdfast.jdbc;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Instants as columns keep them: the UTC date and time of day, in microseconds. Stateless. */
final class UtcMicros {

  static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");
  static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private UtcMicros() {}

  static LocalDateTime of(Instant instant) {
    Instant micros = inRange(instant).truncatedTo(ChronoUnit.MICROS);
    return LocalDateTime.ofInstant(micros, ZoneOffset.UTC);
  }

  static Instant instantOf(LocalDateTime utc) {
    return utc.toInstant(ZoneOffset.UTC);
  }

  private static Instant inRange(Instant instant) {
    if (instant.isBefore(EARLIEST) || !instant.isBefore(LATEST.plus(1, ChronoUnit.MICROS))) {
      throw new IllegalArgumentException(
          "instant must be %s to %s, which all databases can keep, but was %s"
              .formatted(EARLIEST, LATEST, instant));
    }
    return instant;
  }
}
