package failover.store;

import failover.key.StoreKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A stored answer. Immutable.
 *
 * @param key under which it is kept
 * @param asOf when the call that brought it began, in microseconds
 * @param expireOn the last moment at which it may be served, in microseconds
 * @param payload its content
 */
public record ReferentialPayload(StoreKey key, Instant asOf, Instant expireOn, Payload payload) {
  private static final int NANOS = 1_000;

  /** Cuts the moments to microseconds, as databases do. */
  public ReferentialPayload {
    asOf = inMicros(asOf);
    expireOn = inMicros(expireOn);
  }

  /** Cuts a moment to microseconds; what {@code truncatedTo} does, for every unit, takes longer. */
  public static Instant inMicros(Instant moment) {
    long second = moment.getEpochSecond();
    int beyond = moment.getNano() % NANOS;
    return beyond == 0 ? moment : Instant.ofEpochSecond(second, moment.getNano() - beyond);
  }

  /** The same answer under another key. */
  public ReferentialPayload under(StoreKey other) {
    return key.equals(other) ? this : new ReferentialPayload(other, asOf, expireOn, payload);
  }

  /**
   * What takes the place of this answer when it is not to be given any more: the same content, too
   * old from that moment on, and newer than every call that began before.
   */
  public ReferentialPayload expiredAt(Instant now) {
    Instant newest = now.isBefore(asOf) ? asOf : now; // another node's clock may be ahead
    return new ReferentialPayload(key, newest, now.minus(1, ChronoUnit.MICROS), payload);
  }

  /** Whether this answer may take the place of the other: it is as new or newer. */
  public boolean replaces(ReferentialPayload other) {
    return !asOf.isBefore(other.asOf);
  }
}
