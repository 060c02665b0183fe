package eventbus.spring;

import eventbus.CurrentTransaction;
import eventbus.EventBusException;
import holdfast.spring.SpringTransactions;
import holdfast.spring.TransactionWords;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

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
  private static final TransactionWords WORDS =
      new TransactionWords(
          "eventbus",
          "the event bus's",
          "name the right transaction manager in @Transactional, or publish without this"
              + " transaction, with Propagation.NOT_SUPPORTED; with JPA, take a manager that exposes"
              + " its JDBC connection",
          "add SpringTransaction to the transaction manager's listeners, or publish with"
              + " REQUIRES_NEW");

  private final SpringTransactions transactions;

  /**
   * The transactions on a data source.
   *
   * @param dataSource the one the transaction manager has, or a transaction-aware proxy of it
   */
  public SpringTransaction(DataSource dataSource) {
    this.transactions = new SpringTransactions(dataSource, WORDS);
  }

  /**
   * The data source that connections are bound to, without what makes it transaction-aware. The bus
   * itself needs this one: it commits what it does, which must not be the caller's transaction.
   *
   * @param dataSource the data source, or a transaction-aware proxy of it
   * @return the data source behind the proxies
   */
  public static DataSource target(DataSource dataSource) {
    return SpringTransactions.target(dataSource);
  }

  @Override
  public @Nullable Connection connection() {
    transactions.refuseSilentOne();
    if (!transactions.isActive() || transactions.end().isCommitted()) {
      return null;
    }
    try {
      return transactions.connection();
    } catch (SQLException e) {
      throw new EventBusException("event bus could not use the transaction: " + e.getMessage(), e);
    }
  }

  @Override
  public void afterCommit(Runnable callback) {
    transactions.end().callbacks().afterCommit(callback, () -> {});
  }

  @Override
  public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
    transactions.began(beginFailure);
  }
}
