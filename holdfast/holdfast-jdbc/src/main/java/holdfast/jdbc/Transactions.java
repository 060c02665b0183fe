package holdfast.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Transactions on connections of their own: each takes one, commits when its work returns and rolls
 * back when it throws.
 *
 * <p>Whatever the work throws is what the caller sees; what fails after that is added to it as
 * suppressed. The connection always goes back, with autocommit and isolation as they were found. If
 * it cannot be brought back to that state it is aborted, so that no pool hands it out again. When
 * that happens after the commit, the result is returned nevertheless, because the work is done for
 * good, and the trouble is logged; only an {@link Error} is thrown even then.
 *
 * <p>Where an isolation is set, the first connection is asked for the one it comes with, and all
 * others are taken to come with the same: on PostgreSQL, asking is a statement of its own.
 *
 * <p>Safe for use by many threads.
 */
public final class Transactions {

  private final ConnectionSource connections;
  private final @Nullable Isolation isolation;
  private volatile @Nullable Integer usualIsolation;

  private Transactions(ConnectionSource connections, @Nullable Isolation isolation) {
    this.connections = connections;
    this.isolation = isolation;
  }

  /** Transactions with the isolation that the data source's connections come with. */
  public static Transactions of(DataSource dataSource) {
    return of(dataSource::getConnection);
  }

  /** Transactions with the isolation that the connections come with. */
  public static Transactions of(ConnectionSource connections) {
    return new Transactions(connections, null);
  }

  /** The same transactions with this isolation, which replaces the one set before. */
  public Transactions withIsolation(Isolation isolation) {
    return new Transactions(connections, isolation);
  }

  /**
   * Does the work in a transaction of its own.
   *
   * @throws SQLException if there is no connection, or beginning or committing fails; after a
   *     failed commit only the database knows whether the work is done
   * @throws X what the work throws
   */
  public <X extends Exception> void run(TransactionWork<X> work) throws SQLException, X {
    call(
        connection -> {
          work.run(connection);
          return true;
        });
  }

  /**
   * Does the work in a transaction of its own and returns its result.
   *
   * @throws SQLException if there is no connection, or beginning or committing fails; after a
   *     failed commit only the database knows whether the work is done
   * @throws X what the work throws
   */
  public <T extends @Nullable Object, X extends Exception> T call(TransactionCall<T, X> work)
      throws SQLException, X {
    TransactionConnection transaction = new TransactionConnection(connections.getConnection());
    T result;
    try {
      result = work.call(begin(transaction));
      transaction.commit();
    } catch (Throwable failure) {
      transaction.rollBack(failure);
      throw failure;
    }
    transaction.giveBack();
    return result;
  }

  private Connection begin(TransactionConnection transaction) throws SQLException {
    if (isolation == null) {
      return transaction.begin();
    }
    Integer usual = usualIsolation;
    if (usual == null) {
      usual = transaction.isolation();
      usualIsolation = usual;
    }
    return transaction.begin(isolation, usual);
  }
}
