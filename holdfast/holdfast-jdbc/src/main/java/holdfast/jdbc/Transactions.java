package holdfast.jdbc;

import holdfast.log.LibraryLogger;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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

  private static final Logger LOG = LibraryLogger.of("holdfast.jdbc");
  private static final int ATTEMPTS = 3;

  /** Serialization failure, of MariaDB, MySQL and H2 also a deadlock; deadlock of PostgreSQL. */
  private static final Set<String> DEADLOCKS = Set.of("40001", "40P01");

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
    transaction.release();
    return result;
  }

  /**
   * Does the work in a transaction of its own, and again in another one where the database has
   * rolled it back because of a deadlock or a conflict, three times at most. On MariaDB and MySQL
   * that happens between statements that skip locked rows, too.
   *
   * @param work begins anew each time: what it has done in memory before must not matter
   * @throws SQLException as {@link #call} does
   * @throws X what the work throws
   */
  public <T extends @Nullable Object, X extends Exception> T callAgainAfterDeadlock(
      TransactionCall<T, X> work) throws SQLException, X {
    for (int left = ATTEMPTS - 1; left > 0; left--) {
      try {
        return call(work);
      } catch (Exception failure) {
        if (!isDeadlock(failure)) {
          throw failure;
        }
        LOG.log(Level.DEBUG, "jdbc transaction rolled back by the database, done again", failure);
      }
    }
    return call(work);
  }

  private static boolean isDeadlock(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException refused
          && DEADLOCKS.contains(Objects.requireNonNullElse(refused.getSQLState(), ""))) {
        return true;
      }
    }
    return false;
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

  /**
   * A connection from the beginning of its one transaction to its return. Confined to the thread of
   * the transaction.
   *
   * <p>Restoring autocommit on an open transaction would commit it, so that is done only after a
   * commit or rollback that succeeded.
   */
  private static final class TransactionConnection {
    private final Connection connection;
    private boolean begun;
    private boolean autoCommitChanged;
    private @Nullable Integer isolationBefore;

    TransactionConnection(Connection connection) {
      this.connection = connection;
    }

    /** Begins with the isolation the connection comes with. */
    Connection begin() throws SQLException {
      // Marked before the call, which may fail after it has taken effect.
      autoCommitChanged = connection.getAutoCommit();
      begun = true;
      if (autoCommitChanged) {
        connection.setAutoCommit(false);
      }
      return connection;
    }

    /** Begins with another isolation than the connection comes with. */
    Connection begin(Isolation isolation, int usual) throws SQLException {
      if (usual != isolation.level()) {
        isolationBefore = usual;
        connection.setTransactionIsolation(isolation.level());
      }
      return begin();
    }

    int isolation() throws SQLException {
      return connection.getTransactionIsolation();
    }

    void commit() throws SQLException {
      connection.commit();
    }

    /** Ends a transaction that failed; whatever fails here is added to that failure. */
    @SuppressWarnings("ReferenceEquality") // an exception refuses to suppress its very self
    void rollBack(Throwable failure) {
      // Drivers refuse to roll back in autocommit mode, where there is nothing to roll back.
      Step finish = begun ? connection::rollback : () -> {};
      for (Throwable trouble : returned(finish)) {
        if (trouble != failure) {
          failure.addSuppressed(trouble);
        }
      }
    }

    /**
     * Ends a transaction that was committed; what fails here cannot undo it and is logged. Only an
     * {@link Error} is thrown, because nothing goes on after one.
     */
    void release() {
      Error error = null;
      for (Throwable trouble : returned(() -> {})) {
        LOG.log(Level.WARNING, "jdbc connection not released in order after commit", trouble);
        if (error == null && trouble instanceof Error first) {
          error = first;
        }
      }
      if (error != null) {
        throw error;
      }
    }

    /** Finishes, restores and closes the connection, come what may; returns what failed. */
    private List<Throwable> returned(Step finish) {
      List<Throwable> troubles = new ArrayList<>();
      attempt(
          () -> {
            finish.run();
            restore();
          },
          troubles);
      if (!troubles.isEmpty()) {
        attempt(() -> connection.abort(Runnable::run), troubles);
      }
      attempt(connection::close, troubles);
      return troubles;
    }

    private void restore() throws SQLException {
      if (autoCommitChanged) {
        connection.setAutoCommit(true);
      }
      if (isolationBefore != null) {
        connection.setTransactionIsolation(isolationBefore);
      }
    }

    private static void attempt(Step step, List<Throwable> troubles) {
      try {
        step.run();
      } catch (SQLException | RuntimeException | Error e) {
        troubles.add(e);
      }
    }

    @FunctionalInterface
    private interface Step {
      void run() throws SQLException;
    }
  }
}
