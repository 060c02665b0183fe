package outbox.spring;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import outbox.OutboxException;
import outbox.spi.TxContext;

/**
 * The transaction Spring holds for the calling thread: of a {@code @Transactional} method, a {@code
 * TransactionTemplate} or anything else above a transaction manager that binds its JDBC connection
 * to the data source, as {@code DataSourceTransactionManager} and {@code JpaTransactionManager} do.
 *
 * <p>A suspended transaction keeps its callbacks, and so does the one that runs meanwhile. A nested
 * transaction that is rolled back to its savepoint takes its callbacks with it. Savepoints made on
 * the connection by hand cannot be seen: use nested transactions where events are published. Safe
 * for use by many threads; each sees its own transaction.
 */
public final class SpringTxContext implements TxContext {
  private final DataSource dataSource;

  /**
   * The transactions on a data source.
   *
   * @param dataSource the one the transaction manager has, or a transaction-aware proxy of it
   */
  public SpringTxContext(DataSource dataSource) {
    this.dataSource = managed(dataSource);
  }

  /** Connections are bound to the data source itself, not to what makes it transaction-aware. */
  private static DataSource managed(DataSource dataSource) {
    return dataSource instanceof TransactionAwareDataSourceProxy proxy
            && proxy.getTargetDataSource() != null
        ? managed(proxy.getTargetDataSource())
        : dataSource;
  }

  @Override
  public boolean isTransactionActive() {
    return TransactionSynchronizationManager.isActualTransactionActive()
        && TransactionSynchronizationManager.isSynchronizationActive();
  }

  /**
   * The connection of the calling thread's transaction.
   *
   * @return the connection; the caller must not close it
   * @throws IllegalStateException if there is no transaction, or one that is read-only, or is not
   *     on this data source, or has committed already
   */
  @Override
  public Connection currentConnection() {
    requireTransaction();
    // Some databases refuse the insert, others take it: the same everywhere is better.
    if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw new IllegalStateException(
          "the transaction on this thread must be able to write but is read-only; remove readOnly ="
              + " true, or publish in a transaction of its own, with Propagation.REQUIRES_NEW");
    }
    if (!TransactionSynchronizationManager.hasResource(dataSource)) {
      throw elsewhere("has no connection of this data source");
    }
    callbacks();
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      // Business code that used the data source under another manager's transaction leaves a
      // connection here as well, one that commits each statement by itself.
      if (connection.getAutoCommit()) {
        throw elsewhere("has a connection of this data source in auto-commit mode");
      }
      return connection;
    } catch (SQLException e) {
      throw new OutboxException("outbox could not use the transaction: " + e.getMessage(), e);
    } finally {
      // The transaction holds it until its end; counting this use would not let it go then.
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  @Override
  public void afterCommit(Runnable callback) {
    callbacks().afterCommit(callback);
  }

  @Override
  public void afterRollback(Runnable callback) {
    callbacks().afterRollback(callback);
  }

  private TransactionCallbacks callbacks() {
    requireTransaction();
    Object bound = TransactionSynchronizationManager.getResource(this);
    if (bound instanceof TransactionCallbacks callbacks) {
      return callbacks.stillOpen();
    }
    TransactionCallbacks callbacks = new TransactionCallbacks(this);
    TransactionSynchronizationManager.registerSynchronization(callbacks);
    callbacks.resume();
    return callbacks;
  }

  private void requireTransaction() {
    if (isTransactionActive()) {
      return;
    }
    boolean tellsNobody = !TransactionSynchronizationManager.isSynchronizationActive();
    if (tellsNobody && TransactionSynchronizationManager.hasResource(dataSource)) {
      throw new IllegalStateException(
          "the transaction on this thread must tell when it ends but does not; set the transaction"
              + " manager's transactionSynchronization to SYNCHRONIZATION_ALWAYS");
    }
    throw new IllegalStateException(
        "a transaction must be active on this thread but there is none; call from a @Transactional"
            + " method or within a TransactionTemplate. Not enough: a @Transactional method called"
            + " by its own object, another thread than the transaction's, a reactive transaction");
  }

  private static IllegalStateException elsewhere(String found) {
    return new IllegalStateException(
        "the transaction on this thread must be on the outbox's data source but "
            + found
            + "; name the right transaction manager in @Transactional, give SpringTxContext the"
            + " transaction manager's data source, or, with JPA, one that exposes its JDBC"
            + " connection");
  }
}
