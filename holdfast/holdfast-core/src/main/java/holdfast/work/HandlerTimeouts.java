package holdfast.work;

import holdfast.problems.Problems;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long handlers may run. Immutable.
 *
 * @param usual for types without a limit of their own; null for no limit
 * @param byType the limits of single types
 */
public record HandlerTimeouts(@Nullable Duration usual, Map<String, Duration> byType) {
  /** Copies the map. */
  public HandlerTimeouts {
    byType = Map.copyOf(byType);
  }

  /** Adds the limits that are out of range, under the name of the library's setting. */
  public void check(Problems problems, String setting) {
    problems.requirePositive(setting, usual);
    byType.forEach((type, limit) -> problems.requirePositive(setting + " of " + type, limit));
  }

  /** Returns the limit of a type; null if it has none. */
  @Nullable Duration of(String type) {
    return byType.getOrDefault(type, usual);
  }

  /** Returns the shortest limit, but no more than the one given. */
  Duration shortest(Duration most) {
    Duration shortest = usual != null && usual.compareTo(most) < 0 ? usual : most;
    for (Duration own : byType.values()) {
      shortest = own.compareTo(shortest) < 0 ? own : shortest;
    }
    return shortest;
  }
}
