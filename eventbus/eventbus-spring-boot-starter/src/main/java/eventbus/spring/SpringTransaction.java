package eventbus.spring;

import eventbus.CurrentTransaction;
import eventbus.EventBusException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transaction Spring holds for the calling thread: of a {@code @Transactional} method, a {@code
 * TransactionTemplate} or anything else above a transaction manager that binds its JDBC connection
 * to the data source, as {@code DataSourceTransactionManager} and {@code JpaTransactionManager} do.
 *
 * <pre>{@code
 * EventBus.builder(SpringTransaction.target(dataSource))
 *     .transaction(new SpringTransaction(dataSource))
 * }</pre>
 *
 * <p>What runs after a commit is in no transaction any more. To see that also where nothing was
 * published before, this must be among the listeners of the transaction manager, where Spring Boot
 * puts such a bean by itself. Safe for use by many threads; each sees its own transaction.
 */
public final class SpringTransaction implements CurrentTransaction, TransactionExecutionListener {
  private final DataSource dataSource;

  /**
   * The transactions on a data source.
   *
   * @param dataSource the one the transaction manager has, or a transaction-aware proxy of it
   */
  public SpringTransaction(DataSource dataSource) {
    this.dataSource = target(dataSource);
  }

  /**
   * The data source that connections are bound to, without what makes it transaction-aware. The bus
   * itself needs this one: it commits what it does, which must not be the caller's transaction.
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

  @Override
  public @Nullable Connection connection() {
    refuseSilentOne();
    if (!isInTransaction() || ending().isCommitted()) {
      return null;
    }
    // Some databases refuse the insert, others take it: the same everywhere is better.
    if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw new IllegalStateException(
          "the transaction on this thread must be able to write but is read-only; remove readOnly ="
              + " true, or publish in a transaction of its own, with Propagation.REQUIRES_NEW");
    }
    if (!TransactionSynchronizationManager.hasResource(dataSource)) {
      throw elsewhere("has no connection of this data source");
    }
    return bound();
  }

  private Connection bound() {
    Connection connection = DataSourceUtils.getConnection(dataSource);
    try {
      // Business code that used the data source under another manager's transaction leaves a
      // connection here as well, one that commits each statement by itself.
      if (connection.getAutoCommit()) {
        throw elsewhere("has a connection of this data source in auto-commit mode");
      }
      return connection;
    } catch (SQLException e) {
      throw new EventBusException("event bus could not use the transaction: " + e.getMessage(), e);
    } finally {
      // The transaction holds it until its end; counting this use would not let it go then.
      DataSourceUtils.releaseConnection(connection, dataSource);
    }
  }

  /** Whether there is a transaction; while its last callbacks run, it has ended. */
  private static boolean isInTransaction() {
    return TransactionSynchronizationManager.isActualTransactionActive()
        && TransactionSynchronizationManager.isSynchronizationActive();
  }

  /**
   * A connection that is bound although Spring speaks of no transaction belongs to a silent one.
   */
  private void refuseSilentOne() {
    boolean spokenOf =
        TransactionSynchronizationManager.isActualTransactionActive()
            || TransactionSynchronizationManager.isSynchronizationActive();
    if (!spokenOf && TransactionSynchronizationManager.hasResource(dataSource)) {
      throw new IllegalStateException(
          "the transaction on this thread must tell when it ends but does not; set the transaction"
              + " manager's transactionSynchronization to SYNCHRONIZATION_ALWAYS");
    }
  }

  @Override
  public void afterCommit(Runnable callback) {
    ending().afterCommit(callback);
  }

  @Override
  public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
    if (beginFailure == null && isInTransaction()) {
      ending();
    }
  }

  /** What waits for the end of this transaction, bound to the thread as long as it is. */
  private TransactionEnd ending() {
    Object bound = TransactionSynchronizationManager.getResource(this);
    if (bound instanceof TransactionEnd end) {
      return end;
    }
    TransactionEnd end = new TransactionEnd(this);
    TransactionSynchronizationManager.registerSynchronization(end);
    end.resume();
    return end;
  }

  private static IllegalStateException elsewhere(String found) {
    return new IllegalStateException(
        "the transaction on this thread must be on the event bus's data source but "
            + found
            + "; name the right transaction manager in @Transactional, or publish without this"
            + " transaction, with Propagation.NOT_SUPPORTED; with JPA, take a manager that exposes"
            + " its JDBC connection");
  }
}
