package holdfast.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection from the beginning of its one transaction to its return. Confined to the thread of
 * the transaction.
 *
 * <p>Restoring autocommit on an open transaction would commit it, so that is done only after a
 * commit or rollback that succeeded.
 */
final class TransactionConnection {

  private static final Logger LOG = System.getLogger(TransactionConnection.class.getName());

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
  void giveBack() {
    Error error = null;
    for (Throwable trouble : returned(() -> {})) {
      LOG.log(Level.WARNING, "jdbc connection not given back in order after commit", trouble);
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
