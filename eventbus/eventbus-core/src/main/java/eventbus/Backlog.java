package eventbus;

import java.time.Duration;
import java.util.List;

/**
 * What is in the table of events to be worked on, at one moment. Immutable.
 *
 * @param types one line for each type that has events, in alphabetical order
 */
public record Backlog(List<OfType> types) {

  /**
   * The events of one type. Immutable.
   *
   * @param type the type
   * @param pending how many wait, for a worker or for their time
   * @param processing how many a worker has
   * @param due how many could be acquired now
   * @param oldest how long ago the oldest of them was published, whatever happened to it since
   * @param handled whether this node has a handler for the type
   */
  public record OfType(
      String type, long pending, long processing, long due, Duration oldest, boolean handled) {}

  /** Copies the list. */
  public Backlog {
    types = List.copyOf(types);
  }

  /** How many events are there. */
  public long depth() {
    return types.stream().mapToLong(of -> of.pending() + of.processing()).sum();
  }

  /** How many could be acquired now. */
  public long due() {
    return types.stream().mapToLong(OfType::due).sum();
  }

  /** How many wait that this node has no handler for. */
  public long unhandled() {
    return types.stream().filter(of -> !of.handled()).mapToLong(OfType::pending).sum();
  }

  /** Returns the types of events that wait and that this node has no handler for. */
  public List<String> unhandledTypes() {
    return types.stream()
        .filter(of -> !of.handled() && of.pending() > 0)
        .map(OfType::type)
        .toList();
  }

  /** The age of the oldest event; zero if there is none. */
  public Duration oldest() {
    return types.stream().map(OfType::oldest).max(Duration::compareTo).orElse(Duration.ZERO);
  }
}
