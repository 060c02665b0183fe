package eventbus;

import eventbus.table.EventStore;
import holdfast.problems.Problems;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The log of closed events, for people: what failed and why, to be published again, and what is old
 * enough to go. Safe for use by many threads; all calls ask the database and may throw {@link
 * EventBusException}.
 */
public final class EventLog {
  private static final Set<EventStatus> CLOSED =
      EnumSet.of(EventStatus.COMPLETED, EventStatus.FAILED);

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
    return list(filter, limit, null);
  }

  /**
   * The next lines that match, latest first.
   *
   * @param filter which ones
   * @param limit how many at most, 1 or more
   * @param after the last line of the page before, or null for the first page
   * @return the lines, without payload
   * @throws IllegalArgumentException if the limit is below 1
   */
  public List<LoggedEvent> list(LogFilter filter, int limit, @Nullable LoggedEvent after) {
    atLeastOne("limit", limit);
    return store.log(filter, limit, after);
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
   * Makes a new event of a line unless that was done before; see {@link #republish}.
   *
   * @param id the event in the log
   * @return the id of the new event; empty if there is one already, or no such line
   */
  public Optional<Long> republishOnce(long id) {
    Optional<Long> made = store.republishOnce(id);
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
    return republishAll(filter, Long.MAX_VALUE);
  }

  /**
   * The same for so many lines at most, those of the lowest ids.
   *
   * @param filter which ones
   * @param most how many at most, 1 or more
   * @return how many
   */
  public long republishAll(LogFilter filter, long most) {
    atLeastOne("most", most);
    long made = store.republishAll(filter, most);
    wakeUp.run();
    return made;
  }

  /**
   * Removes lines that were completed longer ago, in small batches; the ledger keeps count of them.
   *
   * @param olderThan how long ago by the database's clock, zero or more
   * @return how many
   */
  public long purgeCompleted(Duration olderThan) {
    return purge(EventStatus.COMPLETED, olderThan, Long.MAX_VALUE);
  }

  /**
   * Removes lines that failed longer ago, in small batches; the ledger shows them as lost.
   *
   * @param olderThan how long ago by the database's clock, zero or more
   * @return how many
   */
  public long purgeFailed(Duration olderThan) {
    return purge(EventStatus.FAILED, olderThan, Long.MAX_VALUE);
  }

  /**
   * Removes lines of a status that were closed longer ago, the oldest first, and stops early.
   *
   * @param status COMPLETED or FAILED
   * @param olderThan how long ago by the database's clock, zero or more
   * @param most how many are enough, 1 or more; the batch that reaches it is finished
   * @return how many
   * @throws IllegalArgumentException if one of these does not hold
   */
  public long purge(EventStatus status, Duration olderThan, long most) {
    atLeastOne("most", most);
    new Problems("EventLog")
        .require(CLOSED.contains(status), "status", "be one of " + CLOSED, status)
        .requireZeroOrMore("olderThan", olderThan)
        .throwIfAny();
    return store.purge(status, olderThan, most);
  }

  private static void atLeastOne(String what, long number) {
    new Problems("EventLog").require(number >= 1, what, "be 1 or more", number).throwIfAny();
  }
}
