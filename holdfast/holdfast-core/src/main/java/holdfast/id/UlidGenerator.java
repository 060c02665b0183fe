package holdfast.id;

import holdfast.time.TimeSource;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * A source of ULIDs: 48 bits of time in milliseconds and 80 bits of chance, written as 26
 * characters of Crockford's base 32.
 *
 * <p>Every identifier is greater than the one before it from the same generator, on any thread.
 * Within one millisecond, and while the clock stands still or goes backwards, the last identifier
 * is counted up by one; should its 80 bits run over, the carry goes into the time. Safe for use by
 * many threads.
 */
public final class UlidGenerator {
  /** The number of characters in an identifier: {@value}. */
  public static final int LENGTH = 26;

  private static final char[] ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ".toCharArray();
  private static final int BITS_PER_CHARACTER = 5;
  private static final int TIME_CHARACTERS = 10;
  private static final int HALF_CHARACTERS = 8;
  private static final long HALF = (1L << (HALF_CHARACTERS * BITS_PER_CHARACTER)) - 1;
  private static final Instant LAST_INSTANT = Instant.ofEpochMilli(1L << 48).minusNanos(1);

  private final InstantSource time;
  private final RandomGenerator chance;

  // The last identifier as three numbers, guarded by this object's lock: the time, then the
  // two halves of the 80 bits.
  private long millis = -1;
  private long high;
  private long low;

  /**
   * A generator of its own; its identifiers are ordered among themselves only.
   *
   * @param time the clock; only milliseconds are used
   * @param chance the source of the 80 bits drawn for each new millisecond
   */
  public UlidGenerator(InstantSource time, RandomGenerator chance) {
    this.time = time;
    this.chance = chance;
  }

  /** The generator that this process shares: the system's clock and cryptographic chance. */
  public static UlidGenerator shared() {
    return Shared.GENERATOR;
  }

  /**
   * A new identifier, greater than all before it.
   *
   * @return 26 characters
   * @throws IllegalStateException if the clock shows a time before 1970 or after the year 10889
   */
  public String next() {
    long now = readClock();
    char[] text = new char[LENGTH];
    synchronized (this) {
      advance(now);
      write(text, 0, TIME_CHARACTERS, millis);
      write(text, TIME_CHARACTERS, HALF_CHARACTERS, high);
      write(text, TIME_CHARACTERS + HALF_CHARACTERS, HALF_CHARACTERS, low);
    }
    return new String(text);
  }

  private long readClock() {
    Instant now = time.instant();
    if (now.isBefore(Instant.EPOCH) || now.isAfter(LAST_INSTANT)) {
      throw new IllegalStateException(
          "a ULID needs a time from 1970 to 10889 but the clock shows " + now + "; set the clock");
    }
    return now.toEpochMilli();
  }

  private void advance(long now) {
    if (now > millis) {
      millis = now;
      high = chance.nextLong() & HALF;
      low = chance.nextLong() & HALF;
      return;
    }
    if (low < HALF) {
      low++;
    } else if (high < HALF) {
      low = 0;
      high++;
    } else if (millis < LAST_INSTANT.toEpochMilli()) {
      low = 0;
      high = 0;
      millis++;
    } else {
      throw new IllegalStateException("there is no ULID after the last one of the year 10889");
    }
  }

  private static void write(char[] text, int from, int characters, long value) {
    for (int i = from + characters - 1; i >= from; i--) {
      text[i] = ALPHABET[(int) (value & 31)];
      value >>>= BITS_PER_CHARACTER;
    }
  }

  /** Seeding the cryptographic source can take a while, so it happens on first use. */
  private static final class Shared {
    static final UlidGenerator GENERATOR =
        new UlidGenerator(TimeSource.system(), new SecureRandom());
  }
}
