package eventlog.spi;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Reads the HTTP header {@code Retry-After}: seconds, or a date. Stateless. */
public final class RetryAfter {
  private RetryAfter() {}

  /**
   * Returns how long the other side wants to be left alone.
   *
   * @param header the value of the header; empty if there is none
   * @param now the time a date is compared with
   * @return the time, zero or more; null if it does not say, or not so that it can be read
   */
  public static @Nullable Duration of(String header, Instant now) {
    String value = header.strip();
    if (value.isEmpty()) {
      return null;
    }
    try {
      if (value.chars().allMatch(c -> c >= '0' && c <= '9')) {
        return Duration.ofSeconds(Long.parseLong(value));
      }
      ZonedDateTime at = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME);
      Duration wait = Duration.between(now, at.toInstant());
      return wait.isNegative() ? Duration.ZERO : wait;
    } catch (NumberFormatException | DateTimeException e) {
      return null;
    }
  }
}
