package outbox.jdbc;

import java.time.Duration;

/** Durations as the database's clock takes them, with an offset that tests can set. Immutable. */
record Clock(Duration offset) {
  static final Clock TRUE = new Clock(Duration.ZERO);

  /** Microseconds from the database's own time to the moment that lies so far from now. */
  long micros(Duration fromNow) {
    Duration total = offset.plus(fromNow);
    return total.toSeconds() * 1_000_000 + total.toNanosPart() / 1_000;
  }

  long now() {
    return micros(Duration.ZERO);
  }
}
