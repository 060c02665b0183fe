package eventbus;

import eventbus.table.EventStore;
import holdfast.problems.Problems;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The log of closed events, for people: what failed and why, to be published again, and what is old
 * enough to go. Safe for use by many threads; all calls ask the database and may throw {@link
 * EventBusException}.
 */
public final class EventLog {
  private final EventStore store;
  private final Runnable wakeUp;

  EventLog(EventStore store, Runnable wakeUp) {
    this.store = store;
    this.wakeUp = wakeUp;
  }

  /** The line of an event, if it is closed and not purged. */
  public Optional<LoggedEvent> find(long id) {
    return store.logged(id);
  }

  /**
   * Lines that match, latest first.
   *
   * @param filter which ones
   * @param limit how many at most, 1 or more
   * @return the lines, without payload
   * @throws IllegalArgumentException if the limit is below 1
   */
  public List<LoggedEvent> list(LogFilter filter, int limit) {
    new Problems("EventLog").require(limit >= 1, "limit", "be 1 or more", limit).throwIfAny();
    return store.log(filter, limit);
  }

  /** How many lines match. */
  public long count(LogFilter filter) {
    return store.countLog(filter);
  }

  /**
   * Makes a new event of a line: same type, payload and headers, usual priority, due at once. The
   * line stays and remembers the new id.
   *
   * @param id the event in the log
   * @return the id of the new event
   * @throws UnknownEventException if the log has no such line
   */
  public long republish(long id) {
    long made = store.republish(id);
    wakeUp.run();
    return made;
  }

  /**
   * Makes new events of all lines that match and were not published again before, in batches. It
   * takes what is in the log when it is called, each line once, so it always ends.
   *
   * @param filter which ones
   * @return how many
   */
  public long republishAll(LogFilter filter) {
    long made = store.republishAll(filter);
    wakeUp.run();
    return made;
  }

  /**
   * Removes lines that were completed longer ago, in small batches; the books keep count of them.
   *
   * @param olderThan how long ago by the database's clock, zero or more
   * @return how many
   */
  public long purgeCompleted(Duration olderThan) {
    return purge(EventStatus.COMPLETED, olderThan);
  }

  /**
   * Removes lines that failed longer ago, in small batches; the books show them as lost.
   *
   * @param olderThan how long ago by the database's clock, zero or more
   * @return how many
   */
  public long purgeFailed(Duration olderThan) {
    return purge(EventStatus.FAILED, olderThan);
  }

  private long purge(EventStatus status, Duration olderThan) {
    new Problems("EventLog")
        .require(!olderThan.isNegative(), "olderThan", "be zero or more", olderThan)
        .throwIfAny();
    return store.purge(status, olderThan, () -> false);
  }
}
