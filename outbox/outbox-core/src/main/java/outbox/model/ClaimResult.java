package outbox.model;

import java.time.Duration;
import java.util.List;

/**
 * What a look for due events brought. Immutable.
 *
 * @param claims the events now held
 * @param suspectGroup the size of the group that the suspects among them belong to; 0 if none is
 * @param dead ids of events given up, because they were held too often when a node died
 * @param untilNext how long until the next event is due, as far as the store can see; zero if some
 *     are due that were not claimed
 */
public record ClaimResult(
    List<Claim> claims, int suspectGroup, List<String> dead, Duration untilNext) {

  /** Copies the lists. */
  public ClaimResult {
    claims = List.copyOf(claims);
    dead = List.copyOf(dead);
  }

  /** Returns how long the claimed event that was due for longest had been due; zero if none. */
  public Duration longestDue() {
    return claims.stream().map(Claim::dueFor).max(Duration::compareTo).orElse(Duration.ZERO);
  }
}
