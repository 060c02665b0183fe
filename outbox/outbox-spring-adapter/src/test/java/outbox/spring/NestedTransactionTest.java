package outbox.spring;

import static holdfast.testkit.db.DatabaseKind.H2;
import static holdfast.testkit.db.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** A rolled-back savepoint takes its callbacks with it. */
class NestedTransactionTest {

  private final List<String> committed = new ArrayList<>();
  private SpringTxContext context;
  private TransactionTemplate required;
  private TransactionTemplate nested;

  @BeforeEach
  void connect(TestDatabase database) {
    var manager = new DataSourceTransactionManager(database.dataSource());
    context = new SpringTxContext(manager.getDataSource());
    required = new TransactionTemplate(manager);
    nested = new TransactionTemplate(manager);
    nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
  }

  private void note(String name) {
    context.currentConnection();
    context.afterCommit(() -> committed.add(name));
  }

  private void nested(boolean rollBack, Runnable body) {
    nested.executeWithoutResult(
        tx -> {
          body.run();
          if (rollBack) {
            tx.setRollbackOnly();
          }
        });
  }

  @EachDatabase({H2, POSTGRESQL})
  void onlyWhatWasNotedInTheRolledBackPartIsForgotten() {
    required.executeWithoutResult(
        tx -> {
          note("before");
          nested(true, () -> note("undone"));
          nested(false, () -> note("kept"));
          note("after");
        });

    assertThat(committed).containsExactly("before", "kept", "after");
  }

  @EachDatabase({H2, POSTGRESQL})
  void aSavepointOlderThanTheFirstCallbackForgetsThemAll() {
    required.executeWithoutResult(
        tx -> {
          nested(
              true,
              () -> {
                note("undone");
                note("undone too");
              });
          note("after");
        });

    assertThat(committed).containsExactly("after");
  }

  @EachDatabase({H2, POSTGRESQL})
  void anOuterSavepointTakesTheInnerOnesWithIt() {
    required.executeWithoutResult(
        tx -> {
          note("before");
          nested(
              true,
              () -> {
                note("outer");
                nested(false, () -> note("inner"));
              });
          nested(
              false,
              () -> {
                note("outer kept");
                nested(true, () -> note("inner undone"));
                note("outer kept too");
              });
        });

    assertThat(committed).containsExactly("before", "outer kept", "outer kept too");
  }

  @EachDatabase({H2, POSTGRESQL})
  void aSavepointMadeByHandOnTheStatusIsSeenAsOftenAsItIsUsed() {
    required.executeWithoutResult(
        tx -> {
          note("before");
          Object savepoint = tx.createSavepoint();
          note("undone");
          tx.rollbackToSavepoint(savepoint);
          note("undone again");
          tx.rollbackToSavepoint(savepoint);
          note("after");
          tx.releaseSavepoint(savepoint);
        });

    assertThat(committed).containsExactly("before", "after");
  }
}
