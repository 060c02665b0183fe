package outbox.spi;

import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.ClaimRequest;
import outbox.model.ClaimResult;
import outbox.model.Held;
import outbox.model.LeaseTerms;

/**
 * A store that many nodes can share: it lends events to nodes for a time.
 *
 * <p>An event is due when it is NEW or RETRY and its {@code available_at} has come. A lease is
 * nothing but a later {@code available_at} with the node's name beside it. Every statement below
 * that takes a {@link Held} changes a row only if it is still to be delivered and the token is
 * still the row's, by the database's own clock. Must be safe for use by many threads; never closes,
 * commits or rolls back the connection it is given.
 */
public interface LeaseStore extends EventStore {

  /** Whether the table behind the connection has the columns that leases need. */
  boolean supportsLeases(Connection conn);

  /**
   * Whether a lease given inside a transaction counts from the statement, not from its beginning.
   */
  boolean leasesCountFromStatement(Connection conn);

  /**
   * Inserts events in status NEW with token 0.
   *
   * @param conn the connection of the business transaction
   * @param events the events, in order
   * @param terms the lease to give the ones that are due at once; null to give none
   */
  void insertAll(Connection conn, List<EventEnvelope> events, @Nullable LeaseTerms terms);

  /**
   * Throws if the transaction in which an event was inserted is lost though nobody has rolled it
   * back: a database may do so on its own.
   *
   * @param conn the connection of the business transaction
   * @param eventId the event
   */
  default void requireKept(Connection conn, String eventId) {}

  /**
   * Claims events that are due, soonest first: locks them passing over locked ones, asks which of
   * them this node can take, and claims those. Must run in a transaction.
   *
   * @param conn a connection
   * @param request what to look for
   * @param reserve whether this node can take the event of that id; called once for each, and what
   *     it granted counts only if the transaction commits
   * @return what was claimed
   */
  ClaimResult claim(Connection conn, ClaimRequest request, Predicate<String> reserve);

  /**
   * Prepares the delivery of an event: renews its lease.
   *
   * @param conn a connection
   * @param held the event
   * @param terms the new lease
   * @param suspectGroup the size of the group that a suspect begins in, to be noted in its row; the
   *     start of the only one is counted; 0 for others
   * @return whether the event is still held
   */
  boolean start(Connection conn, Held held, LeaseTerms terms, int suspectGroup);

  /** Whether no earlier ordered event of the same aggregate is still to be delivered. */
  boolean isHead(Connection conn, String eventId);

  /**
   * Sets an ordered event aside, without counting an attempt, until the one before it is closed;
   * must run in a transaction and never wait for a lock.
   *
   * @return false if it is not held, or nothing earlier could be found and locked; it has to be
   *     released then
   */
  boolean park(Connection conn, Held held);

  /**
   * Does the same with some of the due events that have to wait for others, so that claims need not
   * read them again and again; must run in a transaction and never wait for a lock.
   *
   * @param conn a connection
   * @param minAge how old an event must be at least, as in a {@link ClaimRequest}
   * @param reserve whether this node does not have the event of that id in flight
   * @return how many were set aside; zero if there are none, or none that could be locked
   */
  int parkDue(Connection conn, Duration minAge, Predicate<String> reserve);

  /**
   * Makes the next of each closed event's aggregate due at once if it was set aside. Must run in
   * the transaction that closes them, after the marks, and see what others have committed
   * meanwhile.
   *
   * @param conn a connection
   * @param closed ids of events just marked, ordered ones or not
   * @return how many were woken
   */
  int wakeNext(Connection conn, List<String> closed);

  /**
   * Renews leases.
   *
   * @param conn a connection
   * @param held the events
   * @param terms the new lease
   * @return the ids that are no longer held
   */
  Set<String> renew(Connection conn, List<Held> held, LeaseTerms terms);

  /**
   * Marks events DONE.
   *
   * @param conn a connection
   * @param held the events
   * @return the ids that are no longer held; an event that the same claim has marked DONE before is
   *     not among them
   */
  Set<String> done(Connection conn, List<Held> held);

  /**
   * Marks an event for another attempt after a delay, and remembers when that happened first.
   *
   * @param conn a connection
   * @param held the event
   * @param delay how long until it is due
   * @param error what failed
   * @param counted whether it counts as a failed attempt
   * @return whether it was still held
   */
  boolean retry(Connection conn, Held held, Duration delay, String error, boolean counted);

  /**
   * Makes events of a type due that wait for another attempt after a failed one; must run in a
   * transaction and never wait for a lock. Those that no failed attempt was counted for are left:
   * their listener chose when.
   *
   * @param conn a connection
   * @param eventType the type
   * @param limit how many at most
   * @return how many were made due
   */
  int retryNow(Connection conn, String eventType, int limit);

  /**
   * Keeps the counters of the ledger few, if the store has any; must run in a transaction of its
   * own that reads what is committed, and never wait for a lock. Does nothing by default.
   *
   * @param conn a connection
   * @return whether there are so many that the next call should come soon
   */
  default boolean foldCounters(Connection conn) {
    return false;
  }

  /** Gives an event up after a failed attempt; returns whether it was still held. */
  boolean dead(Connection conn, Held held, String error);

  /**
   * Releases events, without counting an attempt.
   *
   * @param conn a connection
   * @param held the events
   * @param delay how long until they are due
   * @param uncounted whether their start was counted, as that of the only suspect is, and is not to
   *     count
   * @return how many were held
   */
  int release(Connection conn, List<Held> held, Duration delay, boolean uncounted);

  /**
   * Releases an event because this node has no listener for it, and remembers since when.
   *
   * @return whether it was still held
   */
  boolean releaseUnhandled(Connection conn, Held held, Duration delay);
}
