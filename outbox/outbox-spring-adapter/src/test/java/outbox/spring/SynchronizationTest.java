package outbox.spring;

import static holdfast.testkit.db.DatabaseKind.H2;
import static holdfast.testkit.db.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** No connection is taken that nobody would release, and none whose end nobody hears of. */
class SynchronizationTest {

  private final List<String> happened = new ArrayList<>();
  private CountedDataSource dataSource;
  private SpringTxContext context;

  @BeforeEach
  void connect(TestDatabase database) {
    dataSource = new CountedDataSource(database.dataSource());
    context = new SpringTxContext(dataSource);
  }

  @EachDatabase({H2, POSTGRESQL})
  void withoutATransactionNoConnectionIsOpened() {
    assertThatIllegalStateException().isThrownBy(context::currentConnection);

    assertThat(dataSource.opened()).isZero();
  }

  @EachDatabase({H2, POSTGRESQL})
  void aTransactionThatTellsNobodyOfItsEndIsRefusedWithTheWayOut() {
    DataSourceTransactionManager manager = new DataSourceTransactionManager(dataSource);
    manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);

    new TransactionTemplate(manager)
        .executeWithoutResult(
            tx -> {
              assertThat(context.isTransactionActive()).isFalse();
              assertThatIllegalStateException()
                  .isThrownBy(context::currentConnection)
                  .withMessageContaining("must tell when it ends but does not")
                  .withMessageContaining("SYNCHRONIZATION_ALWAYS");
            });

    assertThat(dataSource.opened()).isEqualTo(1);
    assertThat(dataSource.open()).isZero();
  }

  @EachDatabase({H2, POSTGRESQL})
  void synchronisationAloneIsNoTransaction() {
    TransactionTemplate supports =
        new TransactionTemplate(new DataSourceTransactionManager(dataSource));
    supports.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);

    supports.executeWithoutResult(
        tx -> {
          new JdbcTemplate(dataSource).queryForObject("SELECT 1", Integer.class);
          assertThatIllegalStateException()
              .isThrownBy(context::currentConnection)
              .withMessageContaining("there is none");
          assertThatIllegalStateException().isThrownBy(() -> context.afterCommit(() -> {}));
        });

    assertThat(dataSource.open()).isZero();
  }

  @EachDatabase({H2, POSTGRESQL})
  void anotherThreadIsNotInTheTransaction() throws Exception {
    List<Throwable> refused = new ArrayList<>();
    Thread other =
        new Thread(
            () -> {
              try {
                context.currentConnection();
              } catch (IllegalStateException e) {
                refused.add(e);
              }
            });

    new TransactionTemplate(new DataSourceTransactionManager(dataSource))
        .executeWithoutResult(
            tx -> {
              other.start();
              try {
                other.join();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });

    assertThat(refused)
        .singleElement()
        .satisfies(e -> assertThat(e).hasMessageContaining("another thread"));
  }

  @EachDatabase({H2, POSTGRESQL})
  void aConnectionThatIsFetchedLateIsFine() {
    LazyConnectionDataSourceProxy lazy = new LazyConnectionDataSourceProxy(dataSource);
    SpringTxContext late = new SpringTxContext(lazy);

    new TransactionTemplate(new DataSourceTransactionManager(lazy))
        .executeWithoutResult(
            tx -> {
              assertThat(late.currentConnection()).isSameAs(late.currentConnection());
              late.afterCommit(() -> happened.add("committed"));
            });

    assertThat(happened).containsExactly("committed");
    assertThat(dataSource.open()).isZero();
  }
}
