package chaos.outbox;

import chaos.Life;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the nodes acknowledged, all lives together.
 *
 * @param committed ids of which a publisher knows that they were committed
 * @param rolledBack ids of which a publisher knows that they were rolled back
 * @param unknown how many transactions ended without the publisher knowing how
 * @param deliveries the deliveries of each event, earliest first
 */
record History(
    Set<String> committed,
    Set<String> rolledBack,
    int unknown,
    Map<String, List<Delivery>> deliveries) {

  static History of(List<Life> lives) {
    Set<String> committed = new TreeSet<>();
    Set<String> rolledBack = new TreeSet<>();
    int unknown = 0;
    List<Delivery> deliveries = new ArrayList<>();
    for (Life life : lives) {
      for (String line : life.lines()) {
        List<String> words = List.of(line.split(" ", -1));
        switch (words.get(0)) {
          case Publisher.COMMITTED -> committed.addAll(words.subList(1, words.size()));
          case Publisher.ROLLED_BACK -> rolledBack.addAll(words.subList(1, words.size()));
          case Publisher.UNKNOWN -> unknown++;
          case Delivery.WORD -> deliveries.add(Delivery.parse(life.name(), line));
          default -> {} // that it is ready
        }
      }
    }
    return new History(committed, rolledBack, unknown, byEvent(deliveries));
  }

  static Map<String, List<Delivery>> byEvent(List<Delivery> deliveries) {
    Map<String, List<Delivery>> byEvent = new TreeMap<>();
    deliveries.stream()
        .sorted(Comparator.comparing(Delivery::start))
        .forEach(d -> byEvent.computeIfAbsent(d.eventId(), id -> new ArrayList<>()).add(d));
    return byEvent;
  }

  List<Delivery> of(String eventId) {
    return deliveries.getOrDefault(eventId, List.of());
  }

  /** How many deliveries there were. */
  int count() {
    return deliveries.values().stream().mapToInt(List::size).sum();
  }

  /** How many deliveries failed. */
  int failed() {
    return (int) deliveries.values().stream().flatMap(List::stream).filter(d -> !d.ok()).count();
  }

  /** How many deliveries came although an earlier one of the same event had succeeded. */
  int duplicates() {
    return deliveries.values().stream().mapToInt(History::afterSuccess).sum();
  }

  private static int afterSuccess(List<Delivery> ofOne) {
    int first = 0;
    while (first < ofOne.size() && !ofOne.get(first).ok()) {
      first++;
    }
    return Math.max(0, ofOne.size() - first - 1);
  }
}
