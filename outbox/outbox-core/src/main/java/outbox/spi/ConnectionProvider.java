package outbox.spi;

import java.sql.Connection;
import java.sql.SQLException;

/** Where short-lived connections outside the business transaction come from. */
@FunctionalInterface
public interface ConnectionProvider {

  /**
   * A connection of the caller's own, to be closed by the caller.
   *
   * @return an open connection
   * @throws SQLException if none can be had
   */
  Connection getConnection() throws SQLException;
}
