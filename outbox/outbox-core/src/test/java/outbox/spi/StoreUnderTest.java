package outbox.spi;

import java.sql.Connection;
import java.sql.SQLException;

/** What the contract kit needs from the one who runs a store through it. */
public interface StoreUnderTest extends AutoCloseable {

  /** The store; always the same data behind it. */
  EventStore store();

  /** Removes all events; called before each test. */
  void empty() throws SQLException;

  /** A new connection to the store's data, in autocommit mode; the kit closes it. */
  Connection connect() throws SQLException;

  /** The event's row as everybody sees it; null if there is none. */
  StoredEvent stored(String eventId) throws SQLException;

  /** Called after the last test. */
  @Override
  void close() throws SQLException;
}
