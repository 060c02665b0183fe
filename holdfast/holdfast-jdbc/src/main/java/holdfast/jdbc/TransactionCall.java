package holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What is done in a transaction, with a result.
 *
 * @param <T> the result
 * @param <X> what it throws besides SQLException
 */
@FunctionalInterface
public interface TransactionCall<T extends @Nullable Object, X extends Exception> {

  /** Does the work on a connection that is the transaction's, to be neither kept nor closed. */
  T call(Connection connection) throws SQLException, X;
}
