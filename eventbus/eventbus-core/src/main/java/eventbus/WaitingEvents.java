package eventbus;

import eventbus.table.EventStore;
import holdfast.problems.Problems;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events that wait for their next attempt after a failure: how many, which, why and until when.
 * Events that a worker has are not among them. On PostgreSQL an index finds them. On other
 * databases each call reads the rows of all events that are not closed, because an index would cost
 * every publication; ask seldom while many wait. Safe for use by many threads; all calls may throw
 * {@link EventBusException}.
 */
public final class WaitingEvents {
  /** The most events a page can have: {@value}. */
  public static final int MAX_PAGE = 1_000;

  private final EventStore store;

  WaitingEvents(EventStore store) {
    this.store = store;
  }

  /**
   * Returns how many events wait.
   *
   * @param type their type, or null for any
   */
  public long count(@Nullable String type) {
    return store.countWaiting(type);
  }

  /**
   * Returns a page of the events that wait, in the order of their ids.
   *
   * @param type their type, or null for any
   * @param limit how many at most, 1 to {@value #MAX_PAGE}
   * @param afterId the last id of the page before, or null for the first page
   * @return the events; fewer than the limit on the last page
   * @throws IllegalArgumentException if the limit is out of range
   */
  public List<WaitingEvent> list(@Nullable String type, int limit, @Nullable Long afterId) {
    new Problems("WaitingEvents")
        .require(limit >= 1 && limit <= MAX_PAGE, "limit", "be 1 to " + MAX_PAGE, limit)
        .throwIfAny();
    return store.waiting(type, limit, afterId);
  }
}
