package chaos.outbox;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The order in which events of each aggregate were delivered: when each version was first begun and
 * when it first succeeded.
 */
final class Order {
  private record Version(Instant firstStart, Instant firstSuccess) {
    Version and(Delivery delivery) {
      return new Version(
          earlier(firstStart, delivery.start()),
          delivery.ok() ? earlier(firstSuccess, delivery.end()) : firstSuccess);
    }

    private static Instant earlier(Instant a, Instant b) {
      return a.isBefore(b) ? a : b;
    }

    boolean succeeded() {
      return firstSuccess.isBefore(Instant.MAX);
    }
  }

  private static final Version NEVER = new Version(Instant.MAX, Instant.MAX);

  private final Map<Integer, Map<Integer, Version>> aggregates = new HashMap<>();

  Order(Collection<List<Delivery>> deliveries) {
    deliveries.forEach(
        ofOne ->
            ofOne.forEach(
                d ->
                    aggregates
                        .computeIfAbsent(d.aggregate(), a -> new TreeMap<>())
                        .merge(d.version(), NEVER.and(d), (known, one) -> known.and(d))));
  }

  /** How many versions of an aggregate were delivered. */
  int delivered(int aggregate) {
    return (int)
        aggregates.getOrDefault(aggregate, Map.of()).values().stream()
            .filter(Version::succeeded)
            .count();
  }

  /** How many versions of an aggregate were tried, with or without success. */
  int tried(int aggregate) {
    return aggregates.getOrDefault(aggregate, Map.of()).size();
  }

  /** One line for each version that was begun before the one before it had succeeded. */
  List<String> early() {
    List<String> found = new ArrayList<>();
    aggregates.forEach(
        (aggregate, versions) ->
            versions.forEach(
                (version, its) -> {
                  Version before = versions.getOrDefault(version - 1, NEVER);
                  if (version > 1 && !before.firstSuccess().isBefore(its.firstStart())) {
                    found.add(
                        "aggregate %d: version %d began at %s, version %d succeeded at %s"
                            .formatted(
                                aggregate,
                                version,
                                its.firstStart(),
                                version - 1,
                                before.firstSuccess()));
                  }
                }));
    return found;
  }
}
