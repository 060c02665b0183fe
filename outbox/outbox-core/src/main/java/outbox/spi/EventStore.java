package outbox.spi;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.model.OutboxEvent;

/**
 * Where events are kept until they are delivered. These five methods are enough for one node; a
 * store that is also a {@link LeaseStore} can be shared by many. Must be safe for use by many
 * threads; never closes, commits or rolls back the connection it is given.
 */
public interface EventStore {

  /**
   * Inserts an event in status NEW, due at once unless the event says otherwise.
   *
   * @param conn the connection of the business transaction
   * @param event the event
   */
  void insertNew(Connection conn, EventEnvelope event);

  /**
   * Marks an event DONE, if it is still to be delivered.
   *
   * @param conn a connection
   * @param eventId which event
   * @return how many rows changed, 1 or 0
   */
  int markDone(Connection conn, String eventId);

  /**
   * Marks an event for another attempt, if it is still to be delivered, and counts one attempt
   * more.
   *
   * @param conn a connection
   * @param eventId which event
   * @param nextAt when it is due again
   * @param error what went wrong; cut to 4,000 characters
   * @return how many rows changed, 1 or 0
   */
  int markRetry(Connection conn, String eventId, Instant nextAt, @Nullable String error);

  /**
   * Gives an event up, if it is still to be delivered.
   *
   * @param conn a connection
   * @param eventId which event
   * @param error what went wrong; cut to 4,000 characters
   * @return how many rows changed, 1 or 0
   */
  int markDead(Connection conn, String eventId, @Nullable String error);

  /**
   * The events that are due, oldest first.
   *
   * @param conn a connection
   * @param now the caller's time
   * @param skipRecent how old an event must be at least
   * @param limit how many at most
   * @return rows, not locked
   */
  List<OutboxEvent> pollPending(Connection conn, Instant now, Duration skipRecent, int limit);
}
