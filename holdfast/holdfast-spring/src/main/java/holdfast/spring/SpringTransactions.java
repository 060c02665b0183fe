package holdfast.spring;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction Spring holds for the calling thread: of a {@code @Transactional} method, a {@code
 * TransactionTemplate} or anything else above a transaction manager that binds its JDBC connection
 * to the data source, as {@code DataSourceTransactionManager} and {@code JpaTransactionManager} do.
 * Safe for use by many threads; each sees its own transaction.
 */
public final class SpringTransactions {
  private final DataSource dataSource;
  private final TransactionWords words;

  /**
   * The transactions on a data source.
   *
   * @param dataSource the one the transaction manager has, or a transaction-aware proxy of it
   * @param words how the library speaks of them
   */
  public SpringTransactions(DataSource dataSource, TransactionWords words) {
    this.dataSource = target(dataSource);
    this.words = words;
  }

  /**
   * The data source that connections are bound to, without what makes it transaction-aware.
   *
   * @param dataSource the data source, or a transaction-aware proxy of it
   * @return the data source behind the proxies
   */
  public static DataSource target(DataSource dataSource) {
    return dataSource instanceof TransactionAwareDataSourceProxy proxy
            && proxy.getTargetDataSource() != null
        ? target(proxy.getTargetDataSource())
        : dataSource;
  }

  /** Whether there is a transaction; while its last callbacks run, it has ended. */
  public boolean isActive() {
    return TransactionSynchronizationManager.isActualTransactionActive()
        && TransactionSynchronizationManager.isSynchronizationActive();
  }

  /**
   * Refuses a transaction that tells nobody of its end: its connection is bound although Spring
   * speaks of no transaction.
   *
   * @throws IllegalStateException if the calling thread is in such a one, with how to fix it
   */
  public void refuseSilentOne() {
    boolean spokenOf =
        TransactionSynchronizationManager.isActualTransactionActive()
            || TransactionSynchronizationManager.isSynchronizationActive();
    if (!spokenOf && TransactionSynchronizationManager.hasResource(dataSource)) {
      throw new IllegalStateException(
          "the transaction on this thread must tell when it ends but does not; set the transaction"
              + " manager's transactionSynchronization to SYNCHRONIZATION_ALWAYS");
    }
  }

  /**
   * The connection of the active transaction.
   *
   * @return the connection; the caller must not close it
   * @throws IllegalStateException if the transaction is read-only or not on this data source, with
   *     how to fix it
   * @throws SQLException if the connection does not answer
   */
  public Connection connection() throws SQLException {
    // Some databases refuse the insert, others take it: the same everywhere is better.
    if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw new IllegalStateException(
          "the transaction on this thread must be able to write but is read-only; remove readOnly ="
              + " true, or publish in a transaction of its own, with Propagation.REQUIRES_NEW");
    }
    if (!TransactionSynchronizationManager.hasResource(dataSource)) {
      throw elsewhere("has no connection of this data source");
    }
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      // Business code that used the data source under another manager's transaction leaves a
      // connection here as well, one that commits each statement by itself.
      if (connection.getAutoCommit()) {
        throw elsewhere("has a connection of this data source in auto-commit mode");
      }
      return connection;
    } finally {
      // The transaction holds it until its end; counting this use would not let it go then.
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  private IllegalStateException elsewhere(String found) {
    return new IllegalStateException(
        "the transaction on this thread must be on "
            + words.owner()
            + " data source but "
            + found
            + "; "
            + words.elsewhere());
  }

  /** What waits for the end of the active transaction, bound to the thread as long as it is. */
  public TransactionEnd end() {
    Object bound = TransactionSynchronizationManager.getResource(this);
    if (bound instanceof TransactionEnd end) {
      return end;
    }
    TransactionEnd end = new TransactionEnd(this, words);
    TransactionSynchronizationManager.registerSynchronization(end);
    end.resume();
    return end;
  }

  /**
   * To be told of the beginning of every transaction, so that its end is seen also where nothing
   * was done in it.
   *
   * @param beginFailure why it could not begin; null if it has
   */
  public void began(@Nullable Throwable beginFailure) {
    if (beginFailure == null && isActive()) {
      end();
    }
  }
}
