package holdfast.work;

import java.util.List;
import java.util.Set;

/**
 * The table behind an engine. Every update of an event carries the token of its claim and changes
 * nothing if the event has passed to another node. Must be safe for use by many threads.
 *
 * @param <T> what the library claims
 */
public interface WorkStore<T extends WorkItem> {

  /** Whether the handlers of an event may run. */
  enum Start {
    /** They may. */
    GRANTED,
    /** The event is no longer this node's; nothing is recorded. */
    LOST,
    /** It is another event's turn; this one is released. */
    NOT_YET,
    /** It is another event's turn: the table has set this one aside. */
    SET_ASIDE
  }

  /**
   * Asks whether the handlers of an event may run, right before they do.
   *
   * @param item the event
   * @param renew whether its lease must be renewed first; what a suspect has begun is noted then
   * @return the answer; an exception stands for {@link Start#LOST}
   * @throws Exception if the table could not be asked
   */
  Start start(T item, boolean renew) throws Exception;

  /**
   * Renews leases.
   *
   * @param items at most 500
   * @return those that are no longer this node's
   * @throws Exception if the table could not be asked
   */
  Set<T> renew(List<T> items) throws Exception;

  /**
   * Records outcomes, all or none.
   *
   * @param outcomes at least one; more than 500 only if they could not be recorded before
   * @return the items whose outcome was refused, because they had passed to another node; as far as
   *     the table tells which
   * @throws Exception if none was recorded, or it is not known; they will come again
   */
  Set<T> record(List<Ended<T>> outcomes) throws Exception;

  /**
   * Makes events of a type due that wait for their next attempt after a failure. Must not wait for
   * locks. Events whose handler chose the delay may be left out.
   *
   * @param type the type
   * @param limit how many at most
   * @return how many were made due
   * @throws Exception if the table could not be asked
   */
  int retryNow(String type, int limit) throws Exception;
}
