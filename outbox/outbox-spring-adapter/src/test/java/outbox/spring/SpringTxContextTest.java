package outbox.spring;

import static holdfast.testkit.db.DatabaseKind.H2;
import static holdfast.testkit.db.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

class SpringTxContextTest {

  private final List<String> happened = new ArrayList<>();
  private CountedDataSource dataSource;
  private SpringTxContext context;
  private TransactionTemplate required;

  @BeforeEach
  void connect(TestDatabase database) {
    dataSource = new CountedDataSource(database.dataSource());
    context = new SpringTxContext(dataSource);
    required = template(TransactionDefinition.PROPAGATION_REQUIRED);
  }

  private TransactionTemplate template(int propagation) {
    TransactionTemplate template =
        new TransactionTemplate(new DataSourceTransactionManager(dataSource));
    template.setPropagationBehavior(propagation);
    return template;
  }

  private void note(String name) {
    context.afterCommit(() -> happened.add(name + " committed"));
    context.afterRollback(() -> happened.add(name + " rolled back"));
  }

  @EachDatabase({H2, POSTGRESQL})
  void outsideATransactionEverythingIsRefusedWithTheWayOut() {
    assertThat(context.isTransactionActive()).isFalse();
    assertThatIllegalStateException()
        .isThrownBy(context::currentConnection)
        .withMessageContaining("must be active on this thread but there is none")
        .withMessageContaining("@Transactional");
    assertThatIllegalStateException().isThrownBy(() -> context.afterCommit(() -> {}));
    assertThatIllegalStateException().isThrownBy(() -> context.afterRollback(() -> {}));
  }

  @EachDatabase({H2, POSTGRESQL})
  void theConnectionIsTheOneBusinessCodeUsesAndGoesBackToThePool() {
    required.executeWithoutResult(
        tx -> {
          assertThat(context.isTransactionActive()).isTrue();
          assertThat(context.currentConnection())
              .isSameAs(context.currentConnection())
              .isSameAs(DataSourceUtils.getConnection(dataSource));
        });

    assertThat(dataSource.opened()).isEqualTo(1);
    assertThat(dataSource.open()).isZero();
  }

  @EachDatabase({H2, POSTGRESQL})
  void aTransactionAwareProxyIsLookedThrough() {
    SpringTxContext proxied = new SpringTxContext(new TransactionAwareDataSourceProxy(dataSource));

    required.executeWithoutResult(
        tx -> assertThat(proxied.currentConnection()).isSameAs(context.currentConnection()));
  }

  @EachDatabase({H2, POSTGRESQL})
  void aTransactionOnAnotherDataSourceIsRefusedWithTheWayOut(TestDatabase database) {
    DataSource other = new CountedDataSource(database.dataSource());
    TransactionTemplate elsewhere =
        new TransactionTemplate(new DataSourceTransactionManager(other));

    elsewhere.executeWithoutResult(
        tx ->
            assertThatIllegalStateException()
                .isThrownBy(context::currentConnection)
                .withMessageContaining("has no connection of this data source")
                .withMessageContaining("transaction manager"));
    elsewhere.executeWithoutResult(
        tx -> {
          new JdbcTemplate(dataSource).queryForObject("SELECT 1", Integer.class);
          assertThatIllegalStateException()
              .isThrownBy(context::currentConnection)
              .withMessageContaining("auto-commit mode");
        });

    assertThat(dataSource.open()).isZero();
  }

  @EachDatabase({H2, POSTGRESQL})
  void callbacksRunForTheOutcomeTheyWaitForInTheirOrder() {
    required.executeWithoutResult(
        tx -> {
          note("first");
          note("second");
          assertThat(happened).isEmpty();
        });
    required.executeWithoutResult(
        tx -> {
          note("third");
          tx.setRollbackOnly();
        });

    assertThat(happened)
        .containsExactly("first committed", "second committed", "third rolled back");
  }

  @EachDatabase({H2, POSTGRESQL})
  void aThrowingCallbackStopsNeitherTheOthersNorTheCaller() {
    required.executeWithoutResult(
        tx -> {
          context.afterCommit(
              () -> {
                throw new IllegalStateException("on purpose");
              });
          note("next");
        });

    assertThat(happened).containsExactly("next committed");
  }

  @EachDatabase({H2, POSTGRESQL})
  void whatAnotherLibraryThrowsAfterTheCommitStopsNoCallback() {
    assertThatThrownBy(
            () ->
                required.executeWithoutResult(
                    tx -> {
                      TransactionSynchronizationManager.registerSynchronization(
                          new TransactionSynchronization() {
                            @Override
                            public void afterCommit() {
                              throw new IllegalArgumentException("not ours");
                            }
                          });
                      note("ours");
                    }))
        .hasMessage("not ours");

    assertThat(happened).containsExactly("ours committed");
  }

  @EachDatabase({H2, POSTGRESQL})
  void anUnknownOutcomeRunsNothing() {
    assertThatThrownBy(
            () ->
                required.executeWithoutResult(
                    tx -> {
                      note("unknown");
                      dataSource.failCommits();
                    }))
        .isInstanceOf(TransactionSystemException.class);

    assertThat(happened).isEmpty();
    assertThat(dataSource.open()).isZero();
  }

  @EachDatabase({H2, POSTGRESQL})
  void aSuspendedTransactionAndTheOneMeanwhileKeepTheirOwnCallbacks() {
    TransactionTemplate requiresNew = template(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    required.executeWithoutResult(
        outer -> {
          note("outer before");
          requiresNew.executeWithoutResult(
              inner -> {
                note("inner");
                assertThat(context.currentConnection()).isNotNull();
              });
          assertThat(happened).containsExactly("inner committed");
          note("outer after");
          outer.setRollbackOnly();
        });

    assertThat(happened)
        .containsExactly("inner committed", "outer before rolled back", "outer after rolled back");
    assertThat(dataSource.open()).isZero();
  }

  @EachDatabase({H2, POSTGRESQL})
  void aTransactionThatIsOnlySuspendedIsNotActive() {
    TransactionTemplate none = template(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);

    required.executeWithoutResult(
        tx -> {
          note("outer");
          none.executeWithoutResult(
              without -> {
                assertThat(context.isTransactionActive()).isFalse();
                assertThatIllegalStateException().isThrownBy(() -> context.afterCommit(() -> {}));
              });
        });

    assertThat(happened).containsExactly("outer committed");
  }

  @EachDatabase({H2, POSTGRESQL})
  void publishingAfterTheCommitIsRefusedWithTheWayOut() {
    required.executeWithoutResult(
        tx -> {
          TransactionSynchronizationManager.registerSynchronization(
              new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                  assertThatIllegalStateException()
                      .isThrownBy(context::currentConnection)
                      .withMessageContaining("REQUIRES_NEW");
                  happened.add("refused");
                }
              });
          note("ours");
        });

    assertThat(happened).containsExactly("refused", "ours committed");
  }

  @EachDatabase({H2, POSTGRESQL})
  void aPoolWithoutAutoCommitIsFine() throws SQLException {
    dataSource.autoCommit(false);

    required.executeWithoutResult(
        tx -> {
          assertThat(context.currentConnection()).isNotNull();
          note("ours");
        });

    assertThat(happened).containsExactly("ours committed");
  }
}
