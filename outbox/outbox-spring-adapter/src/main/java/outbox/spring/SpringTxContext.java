package outbox.spring;

import holdfast.jdbc.CommitCallbacks;
import holdfast.spring.SpringTransactions;
import holdfast.spring.TransactionEnd;
import holdfast.spring.TransactionWords;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import outbox.OutboxException;
import outbox.spi.TxContext;

/**
 * The transaction Spring holds for the calling thread: of a {@code @Transactional} method, a {@code
 * TransactionTemplate} or anything else above a transaction manager that binds its JDBC connection
 * to the data source, as {@code DataSourceTransactionManager} and {@code JpaTransactionManager} do.
 *
 * <p>A suspended transaction keeps its callbacks, and so does the one that runs meanwhile. A nested
 * transaction that is rolled back to its savepoint takes its callbacks with it. Savepoints made on
 * the connection by hand cannot be seen: use nested transactions where events are published.
 *
 * <p>Among the listeners of a transaction manager, where Spring Boot puts such a bean by itself, it
 * sees every transaction from its beginning, and refuses what is published after a commit also
 * where nothing was published before. Safe for use by many threads; each sees its own transaction.
 */
public final class SpringTxContext implements TxContext, TransactionExecutionListener {
  private static final TransactionWords WORDS =
      new TransactionWords(
          "outbox",
          "the outbox's",
          "name the right transaction manager in @Transactional, give SpringTxContext the"
              + " transaction manager's data source, or, with JPA, one that exposes its JDBC"
              + " connection",
          "publish in a transaction of its own, with REQUIRES_NEW, and add SpringTxContext to the"
              + " transaction manager's listeners to have this refused");

  private final SpringTransactions transactions;

  /**
   * The transactions on a data source.
   *
   * @param dataSource the one the transaction manager has, or a transaction-aware proxy of it
   */
  public SpringTxContext(DataSource dataSource) {
    this.transactions = new SpringTransactions(dataSource, WORDS);
  }

  @Override
  public boolean isTransactionActive() {
    return transactions.isActive();
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
    requireOpenTransaction();
    try {
      return transactions.connection();
    } catch (SQLException e) {
      throw new OutboxException("outbox could not use the transaction: " + e.getMessage(), e);
    }
  }

  @Override
  public void afterCommit(Runnable callback) {
    afterCommit(callback, () -> {});
  }

  @Override
  public void afterCommit(Runnable callback, Runnable check) {
    requireOpenTransaction().afterCommit(callback, check);
  }

  @Override
  public void afterRollback(Runnable callback) {
    requireOpenTransaction().afterRollback(callback);
  }

  @Override
  public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
    transactions.began(beginFailure);
  }

  private CommitCallbacks requireOpenTransaction() {
    transactions.refuseSilentOne();
    if (!transactions.isActive()) {
      throw new IllegalStateException(
          "a transaction must be active on this thread but there is none; call from a"
              + " @Transactional method or within a TransactionTemplate. Not enough: a"
              + " @Transactional method called by its own object, another thread than the"
              + " transaction's, a reactive transaction");
    }
    TransactionEnd end = transactions.end();
    if (end.isCommitted()) {
      throw new IllegalStateException(
          "the transaction must not have ended but it has committed; what runs after a commit"
              + " publishes in a transaction of its own, with Propagation.REQUIRES_NEW");
    }
    return end.callbacks();
  }
}
