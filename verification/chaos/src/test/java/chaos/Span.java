package chaos;

import java.time.Instant;

/** A stretch of time on the clock of this machine, both ends included. */
public record Span(Instant from, Instant until) {
  /** Whether the two have a moment in common. */
  public boolean meets(Span other) {
    return !from.isAfter(other.until) && !other.from.isAfter(until);
  }
}
