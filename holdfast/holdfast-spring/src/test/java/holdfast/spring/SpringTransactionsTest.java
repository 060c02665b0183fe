package holdfast.spring;

import static holdfast.testkit.db.DatabaseKind.H2;
import static holdfast.testkit.db.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.log.CapturedLog;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The connection and the end of the transaction that Spring holds. */
class SpringTransactionsTest {
  private static final TransactionWords WORDS =
      new TransactionWords("shop", "the shop's", "take the other manager", "do it earlier");

  private final List<String> happened = new ArrayList<>();
  private DataSource dataSource;
  private DataSourceTransactionManager manager;
  private SpringTransactions transactions;

  @BeforeEach
  void connect(TestDatabase database) {
    dataSource = database.dataSource();
    manager = new DataSourceTransactionManager(dataSource);
    transactions = new SpringTransactions(dataSource, WORDS);
  }

  private TransactionTemplate template(int propagation) {
    TransactionTemplate template = new TransactionTemplate(manager);
    template.setPropagationBehavior(propagation);
    return template;
  }

  private void note(String what) {
    transactions.end().callbacks().afterCommit(() -> happened.add(what), () -> {});
    transactions.end().callbacks().afterRollback(() -> happened.add("no " + what));
  }

  private Connection connection() {
    try {
      return transactions.connection();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int rows(Connection connection) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM seen")) {
      rows.next();
      return rows.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @EachDatabase({H2, POSTGRESQL})
  void theConnectionIsTheTransactionsOwnAlsoBehindAProxy() {
    DataSource proxy =
        new TransactionAwareDataSourceProxy(new TransactionAwareDataSourceProxy(dataSource));
    transactions = new SpringTransactions(proxy, WORDS);

    new JdbcTemplate(dataSource).execute("CREATE TABLE seen (id INT)");

    assertThat(SpringTransactions.target(proxy)).isSameAs(dataSource);
    new TransactionTemplate(manager)
        .executeWithoutResult(
            tx -> {
              assertThat(connection()).isSameAs(connection());
              assertThat(rows(connection())).isZero();
              new JdbcTemplate(proxy).execute("INSERT INTO seen VALUES (1)");
              assertThat(rows(connection())).isOne();
              tx.setRollbackOnly();
            });
    assertThat(transactions.isActive()).isFalse();
  }

  @EachDatabase({H2, POSTGRESQL})
  void callbacksRunAfterTheCommitOrTheRollback() {
    TransactionTemplate template = new TransactionTemplate(manager);
    template.executeWithoutResult(
        tx -> {
          note("first");
          assertThat(happened).isEmpty();
        });
    template.executeWithoutResult(
        tx -> {
          note("second");
          tx.setRollbackOnly();
        });

    assertThat(happened).containsExactly("first", "no second");
  }

  @EachDatabase({H2, POSTGRESQL})
  void aFailedCheckTakesTheTransactionBack() {
    assertThatThrownBy(
            () ->
                new TransactionTemplate(manager)
                    .executeWithoutResult(
                        tx ->
                            transactions
                                .end()
                                .callbacks()
                                .afterCommit(
                                    () -> happened.add("committed"),
                                    () -> {
                                      throw new IllegalStateException("lost");
                                    })))
        .hasMessage("lost");

    assertThat(happened).isEmpty();
  }

  @EachDatabase({H2, POSTGRESQL})
  void aSavepointTakesBackOnlyWhatCameAfterIt() {
    new TransactionTemplate(manager)
        .executeWithoutResult(
            outer -> {
              note("outer");
              template(TransactionDefinition.PROPAGATION_NESTED)
                  .executeWithoutResult(
                      nested -> {
                        note("nested");
                        nested.setRollbackOnly();
                      });
            });

    assertThat(happened).containsExactly("outer");
  }

  @EachDatabase({H2, POSTGRESQL})
  void aSuspendedTransactionKeepsItsOwn() {
    new TransactionTemplate(manager)
        .executeWithoutResult(
            outer -> {
              note("outer");
              template(TransactionDefinition.PROPAGATION_REQUIRES_NEW)
                  .executeWithoutResult(inner -> note("inner"));
              assertThat(happened).containsExactly("inner");
            });

    assertThat(happened).containsExactly("inner", "outer");
  }

  @EachDatabase({H2, POSTGRESQL})
  void transactionsNothingCanBeWrittenInAreRefusedWithTheWayOut() {
    TransactionTemplate readOnly = new TransactionTemplate(manager);
    readOnly.setReadOnly(true);
    readOnly.executeWithoutResult(
        tx ->
            assertThatIllegalStateException()
                .isThrownBy(transactions::connection)
                .withMessageContainingAll("read-only", "REQUIRES_NEW"));

    DataSource other = new DriverManagerDataSource("jdbc:h2:mem:other");
    transactions = new SpringTransactions(other, WORDS);
    new TransactionTemplate(manager)
        .executeWithoutResult(
            tx ->
                assertThatIllegalStateException()
                    .isThrownBy(transactions::connection)
                    .withMessageContainingAll(
                        "must be on the shop's data source", "take the other manager"));
  }

  @EachDatabase({H2, POSTGRESQL})
  void aTransactionThatTellsNobodyOfItsEndIsRefused() {
    manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);

    transactions.refuseSilentOne();
    new TransactionTemplate(manager)
        .executeWithoutResult(
            tx -> {
              assertThat(transactions.isActive()).isFalse();
              assertThatIllegalStateException()
                  .isThrownBy(transactions::refuseSilentOne)
                  .withMessageContaining("SYNCHRONIZATION_ALWAYS");
            });
  }

  private static void afterCommit(Runnable action) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            action.run();
          }
        });
  }

  @EachDatabase({H2, POSTGRESQL})
  void oneThatWasAnnouncedIsKnownToHaveCommitted() {
    new TransactionTemplate(manager)
        .executeWithoutResult(
            tx -> {
              transactions.began(null);
              assertThat(transactions.end().isCommitted()).isFalse();
              afterCommit(() -> happened.add("committed " + transactions.end().isCommitted()));
            });

    assertThat(happened).containsExactly("committed true");
  }

  @EachDatabase({H2, POSTGRESQL})
  void whatWaitsForACommitThatHasBeenIsReportedAndNotCalled() {
    try (CapturedLog log = new CapturedLog("shop")) {
      new TransactionTemplate(manager).executeWithoutResult(tx -> afterCommit(() -> note("late")));

      assertThat(log.messages(Level.SEVERE))
          .singleElement()
          .asString()
          .contains("shop events published after the commit", "times=1", "do it earlier");
    }
    assertThat(happened).isEmpty();
  }
}
