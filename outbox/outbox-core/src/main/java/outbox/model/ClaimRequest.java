package outbox.model;

import holdfast.work.SuspectLimit;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a node looks for. Immutable.
 *
 * @param terms who claims and for how long
 * @param limit how many at most
 * @param limitByType how many of single types at most, zero or more; other types have no limit
 * @param maxBytes how many bytes their payloads may have in all; the first event always passes
 * @param suspects how many suspects may be among them
 * @param maxLapses a suspect that was started more often than this without a mark is dead
 * @param minAge how old an event must be at least before it is claimed the first time; zero for
 *     any, one that failed before is old enough
 */
public record ClaimRequest(
    LeaseTerms terms,
    int limit,
    Map<String, Integer> limitByType,
    long maxBytes,
    SuspectLimit suspects,
    int maxLapses,
    Duration minAge) {

  /** Copies the map. */
  public ClaimRequest {
    limitByType = Map.copyOf(limitByType);
  }

  /** Returns the types of which none may be claimed, in alphabetical order. */
  public List<String> fullTypes() {
    return limitByType.keySet().stream()
        .filter(type -> limitByType.getOrDefault(type, 0) <= 0)
        .sorted()
        .toList();
  }
}
