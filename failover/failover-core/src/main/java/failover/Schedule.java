package failover;

import java.time.Duration;
import java.time.Instant;

/** When something is done again. Safe for use by many threads. */
@FunctionalInterface
public interface Schedule {

  /** How long to wait from that moment on, more than zero. */
  Duration waitFrom(Instant now);

  /** Each time when so much time has passed. */
  static Schedule every(Duration interval) {
    return now -> interval;
  }
}
