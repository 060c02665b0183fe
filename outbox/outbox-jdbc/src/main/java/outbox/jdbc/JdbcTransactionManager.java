package outbox.jdbc;

import holdfast.jdbc.SavepointWatch;
import holdfast.jdbc.SqlMessages;
import holdfast.log.LibraryLogger;
import java.sql.Connection;
import java.sql.SQLException;
import outbox.OutboxException;
import outbox.spi.ConnectionProvider;

/**
 * Transactions by hand, for applications without a framework.
 *
 * <pre>{@code
 * try (JdbcTransactionManager.Transaction tx = txManager.begin()) {
 *   insertOrder(tx.connection());
 *   client.publish(EventEnvelope.ofJson("OrderPlaced", json));
 *   tx.commit();
 * }
 * }</pre>
 *
 * <p>Safe for use by many threads; a transaction belongs to the thread that began it.
 */
public final class JdbcTransactionManager {
  private final ConnectionProvider connectionProvider;
  private final ThreadLocalTxContext txContext;

  /**
   * A transaction manager.
   *
   * @param connectionProvider where connections come from
   * @param txContext where the calling thread's transaction is remembered
   */
  public JdbcTransactionManager(
      ConnectionProvider connectionProvider, ThreadLocalTxContext txContext) {
    this.connectionProvider = connectionProvider;
    this.txContext = txContext;
  }

  /**
   * Begins a transaction on the calling thread.
   *
   * @return the transaction; close it, which rolls back unless it was committed
   * @throws IllegalStateException if the thread has one already
   * @throws OutboxException if the database cannot begin one
   */
  public Transaction begin() {
    if (txContext.isTransactionActive()) {
      throw new IllegalStateException(
          "a thread must have one transaction at a time but this one has one already; commit or"
              + " roll it back first");
    }
    Connection connection = null;
    try {
      connection = connectionProvider.getConnection();
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      return new Transaction(connection, autoCommit);
    } catch (SQLException e) {
      closeAfter(e, connection);
      throw new OutboxException(
          "outbox could not begin a transaction: " + SqlMessages.withFix(e), e);
    } catch (RuntimeException e) {
      closeAfter(e, connection);
      throw e;
    }
  }

  private static void closeAfter(
      Exception failure, @org.jspecify.annotations.Nullable Connection connection) {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        failure.addSuppressed(e);
      }
    }
  }

  /** One transaction. Confined to the thread that began it. */
  public final class Transaction implements AutoCloseable {
    private final Connection connection;
    private final boolean autoCommit;
    private final Thread owner = Thread.currentThread();
    private final ThreadLocalTxContext.Current current;
    private boolean ended;

    private Transaction(Connection connection, boolean autoCommit) {
      this.connection = connection;
      this.autoCommit = autoCommit;
      this.current =
          txContext.bind(
              SavepointWatch.over(connection, () -> current().callbacks()), this::rollback);
    }

    private ThreadLocalTxContext.Current current() {
      return current;
    }

    /**
     * The connection for business statements. It refuses to be committed, rolled back or closed by
     * hand: the transaction does that.
     */
    public Connection connection() {
      return txContext.currentConnection();
    }

    /**
     * Commits, releases the connection, then runs what waits for the commit.
     *
     * @throws IllegalStateException if the transaction has ended, or is another thread's
     * @throws OutboxException if the database does not commit, or has rolled back on its own after
     *     an error that was caught; nothing that waits is run
     */
    public void commit() {
      requireOpen();
      try {
        current.callbacks().check();
        connection.commit();
      } catch (SQLException | RuntimeException e) {
        rollBackAfter(e);
        throw new OutboxException("outbox could not commit: " + e.getMessage(), e);
      }
      end();
      current.callbacks().committed();
    }

    /**
     * Rolls back, releases the connection, then runs what waits for the rollback.
     *
     * @throws IllegalStateException if the transaction has ended, or is another thread's
     * @throws OutboxException if the database does not roll back; closing the connection does
     */
    public void rollback() {
      requireOpen();
      try {
        connection.rollback();
      } catch (SQLException e) {
        throw new OutboxException("outbox could not roll back: " + e.getMessage(), e);
      } finally {
        end();
        current.callbacks().rolledBack();
      }
    }

    /** Rolls back unless the transaction has ended. */
    @Override
    public void close() {
      if (!ended) {
        rollback();
      }
    }

    private void rollBackAfter(Exception failure) {
      try {
        connection.rollback();
      } catch (SQLException e) {
        failure.addSuppressed(e);
      } finally {
        end();
        current.callbacks().rolledBack();
      }
    }

    private void requireOpen() {
      if (!owner.equals(Thread.currentThread())) {
        throw new IllegalStateException(
            "a transaction must be ended by the thread that began it, %s, but was by %s; end it there"
                .formatted(owner.getName(), Thread.currentThread().getName()));
      }
      if (ended) {
        throw new IllegalStateException(
            "a transaction can be ended once but this one has been; begin a new one");
      }
    }

    private void end() {
      ended = true;
      txContext.unbind();
      try (Connection closing = connection) {
        closing.setAutoCommit(autoCommit);
      } catch (SQLException e) {
        LibraryLogger.of("outbox")
            .log(System.Logger.Level.WARNING, "outbox could not return a connection cleanly", e);
      }
    }
  }
}
