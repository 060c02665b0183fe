package eventbus.table;

import eventbus.Event;
import java.time.Duration;
import java.util.List;

/**
 * What was claimed. Immutable.
 *
 * @param events the events as they are now, first priority first, then soonest due
 * @param suspectGroup the size of the group that the suspects among them belong to; 0 if none is
 * @param closed what was closed as FAILED instead
 * @param untilNext how long until the next event that waits is due, zero if more are; as long as
 *     the lease if none waits
 */
public record ClaimResult(
    List<Event> events, int suspectGroup, List<Closed> closed, Duration untilNext) {

  /**
   * An event that nobody should handle any more. Immutable.
   *
   * @param id the event
   * @param type its type
   * @param error why
   */
  public record Closed(long id, String type, String error) {}
}
