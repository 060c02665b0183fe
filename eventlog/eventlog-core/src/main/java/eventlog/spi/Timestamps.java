package eventlog.spi;

import java.time.Instant;

/** Moments as ISO-8601 text, exactly as {@link Instant#toString()} writes them, but faster. */
final class Timestamps {
  private static final long SECONDS_PER_DAY = 86_400;
  private static final long LAST_FAST_SECOND = 253_402_300_799L; // the end of the year 9999

  private Timestamps() {}

  static void write(Instant moment, JsonBuffer json) {
    long seconds = moment.getEpochSecond();
    if (seconds < 0 || seconds > LAST_FAST_SECOND) {
      json.text(moment.toString());
      return;
    }
    json.raw('"');
    date(seconds / SECONDS_PER_DAY, json);
    long second = seconds % SECONDS_PER_DAY;
    json.raw('T').digits(second / 3600, 2);
    json.raw(':').digits(second / 60 % 60, 2);
    json.raw(':').digits(second % 60, 2);
    fraction(moment.getNano(), json);
    json.raw('Z').raw('"');
  }

  // Years are counted from March, so that a leap day is the last day of its year; eras are the 400
  // years after which the calendar repeats.
  private static void date(long epochDay, JsonBuffer json) {
    long day = epochDay + 719_468;
    long era = day / 146_097;
    long dayOfEra = day % 146_097;
    long yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    long monthFromMarch = (5 * dayOfYear + 2) / 153;
    long month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
    long year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
    json.digits(year, 4).raw('-').digits(month, 2);
    json.raw('-').digits(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, 2);
  }

  private static void fraction(int nanos, JsonBuffer json) {
    if (nanos == 0) {
      return;
    }
    json.raw('.');
    if (nanos % 1_000_000 == 0) {
      json.digits(nanos / 1_000_000, 3);
    } else if (nanos % 1_000 == 0) {
      json.digits(nanos / 1_000, 6);
    } else {
      json.digits(nanos, 9);
    }
  }
}
