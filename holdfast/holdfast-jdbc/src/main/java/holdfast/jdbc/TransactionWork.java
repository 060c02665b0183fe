package holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * What is done in a transaction, without a result.
 *
 * @param <X> what it throws besides SQLException
 */
@FunctionalInterface
public interface TransactionWork<X extends Exception> {

  /** Does the work on a connection that is the transaction's, to be neither kept nor closed. */
  void run(Connection connection) throws SQLException, X;
}
