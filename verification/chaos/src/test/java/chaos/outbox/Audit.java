package chaos.outbox;

import chaos.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Holds three accounts against each other that know nothing of one another: the business rows (what
 * was committed), the listeners' lines (what was delivered) and the table's journal (who held an
 * event when). What does not fit is a problem, told in one line.
 *
 * <p>The rules of repetition are exact. A lease may be taken over only if its holder was in trouble
 * (killed, or its line broken) between its last renewal and the end of the lease. A delivery may be
 * repeated only if the one before it failed and was marked so, or if its holder's lease was taken
 * over after it began, and the holder's trouble was soon enough to have kept the DONE mark from
 * being written. Stateless beside its arguments.
 *
 * @param business the ids of the committed business rows
 * @param troubles when each life of a node was in trouble
 */
record Audit(
    History history,
    Set<String> business,
    List<Change> changes,
    Map<String, List<Span>> troubles,
    Duration lease) {

  /** How long an undisturbed node may take to write a mark, on a busy machine. */
  static final Duration MARK_PATIENCE = Duration.ofSeconds(5);

  /** How far the times of processes and database may be apart in the account of one deed. */
  static final Duration TOLERANCE = Duration.ofMillis(500);

  private static final int SHOWN = 20;

  /** What does not fit; empty if all does. */
  List<String> problems() {
    List<String> problems = new ArrayList<>();
    add(problems, "acknowledged as committed, but the business row is missing", vanished());
    add(problems, "acknowledged as rolled back, but the business row is there", undead());
    add(problems, "committed and never delivered", lost());
    add(problems, "delivered and never committed", phantoms());
    add(problems, "lease taken over though its holder was well", unexplainedTakeovers());
    add(problems, "delivered again without a reason", unexplainedRepeats());
    return problems;
  }

  private static void add(List<String> problems, String what, List<String> found) {
    if (!found.isEmpty()) {
      problems.add(
          "%s: %d%n  %s"
              .formatted(
                  what,
                  found.size(),
                  String.join("\n  ", found.subList(0, Math.min(SHOWN, found.size())))));
    }
  }

  private List<String> vanished() {
    Set<String> missing = new TreeSet<>(history.committed());
    missing.removeAll(business);
    return List.copyOf(missing);
  }

  private List<String> undead() {
    return history.rolledBack().stream().filter(business::contains).toList();
  }

  private List<String> lost() {
    return business.stream()
        .filter(id -> history.of(id).stream().noneMatch(Delivery::ok))
        .map(this::story)
        .toList();
  }

  private List<String> phantoms() {
    return history.deliveries().keySet().stream().filter(id -> !business.contains(id)).toList();
  }

  private List<String> unexplainedTakeovers() {
    return changes.stream()
        .filter(Change::isTakeover)
        .filter(change -> !inTrouble(change.oldHolder(), change.unrenewed(lease)))
        .map(change -> change + story(change.eventId()))
        .toList();
  }

  private List<String> unexplainedRepeats() {
    Map<String, List<Change>> changesOf = new HashMap<>();
    for (Change change : changes) {
      changesOf.computeIfAbsent(change.eventId(), id -> new ArrayList<>()).add(change);
    }
    List<String> found = new ArrayList<>();
    history
        .deliveries()
        .forEach(
            (id, ofOne) -> {
              List<Change> itsChanges = changesOf.getOrDefault(id, List.of());
              for (int i = 1; i < ofOne.size(); i++) {
                if (!mayRepeat(ofOne.get(i - 1), ofOne.get(i), itsChanges)) {
                  found.add("repeat " + i + " of" + story(id));
                }
              }
            });
    return found;
  }

  private boolean mayRepeat(Delivery before, Delivery again, List<Change> itsChanges) {
    for (Change change : itsChanges) {
      boolean between =
          new Span(before.start(), again.start()).meets(new Span(change.at(), change.at()));
      if (between && before.node().equals(change.oldHolder())) {
        if (change.isRetry() && !before.ok()) {
          return true;
        }
        if (change.isTakeover() && markWasPrevented(before)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean markWasPrevented(Delivery delivery) {
    return inTrouble(
        delivery.node(), new Span(delivery.start(), delivery.end().plus(MARK_PATIENCE)));
  }

  private boolean inTrouble(String node, Span when) {
    Span about = new Span(when.from().minus(TOLERANCE), when.until().plus(TOLERANCE));
    return troubles.getOrDefault(node, List.of()).stream().anyMatch(about::meets);
  }

  /** Everything known of one event. */
  private String story(String eventId) {
    StringBuilder story = new StringBuilder(" " + eventId);
    Set<String> nodes = new TreeSet<>();
    for (Delivery delivery : history.of(eventId)) {
      story.append("\n    ").append(delivery);
      nodes.add(delivery.node());
    }
    for (Change change : changes) {
      if (change.eventId().equals(eventId)) {
        story.append("\n    ").append(change);
      }
    }
    for (String node : nodes) {
      story.append("\n    trouble of ").append(node).append(": ");
      story.append(troubles.getOrDefault(node, List.of()));
    }
    return story.toString();
  }
}
