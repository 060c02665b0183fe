package eventbus.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import eventbus.Event;
import eventbus.EventBus;
import holdfast.testkit.db.ConnectionPool;
import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import holdfast.testkit.time.SettableTime;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What is published inside Spring's transactions shares their fate. */
@Timeout(120)
class TransactionalPublishTest {
  private final Queue<String> handled = new ConcurrentLinkedQueue<>();
  private ConnectionPool pool;
  private EventBus bus;
  private DataSourceTransactionManager manager;

  @BeforeEach
  void start(TestDatabase database) throws SQLException {
    pool = ConnectionPool.over(database.dataSource());
    JdbcTemplate sql = new JdbcTemplate(pool);
    for (String table : List.of("events", "event_log", "events_count")) {
      sql.execute("DROP TABLE IF EXISTS " + table);
    }
    SpringTransaction transaction =
        new SpringTransaction(new TransactionAwareDataSourceProxy(pool));
    bus =
        EventBus.builder(pool)
            .createTables()
            .transaction(transaction)
            .timeSource(new SettableTime())
            .handler("A", event -> handled.add(event.payload()))
            .build();
    manager = new DataSourceTransactionManager(pool);
    manager.addListener(transaction);
  }

  @AfterEach
  void stop() throws SQLException {
    bus.close();
    pool.close();
  }

  private void publish(String payload) {
    bus.publish(Event.of("A", payload));
  }

  private void with(int propagation, Consumer<TransactionStatus> work) {
    TransactionTemplate template = new TransactionTemplate(manager);
    template.setPropagationBehavior(propagation);
    template.executeWithoutResult(work);
  }

  private void required(Consumer<TransactionStatus> work) {
    with(TransactionDefinition.PROPAGATION_REQUIRED, work);
  }

  private List<String> payloads() {
    return new JdbcTemplate(pool)
        .queryForList("SELECT payload FROM events ORDER BY id", String.class);
  }

  @EachDatabase
  void anEventOfARolledBackTransactionNeverExisted() {
    required(
        tx -> {
          publish("lost");
          bus.publishAll(List.of(Event.of("A", "lost too"), Event.of("B", "and this")));
          tx.setRollbackOnly();
        });

    assertThat(payloads()).isEmpty();
    assertThat(bus.ledger().accepted()).isZero();
    assertThat(bus.counts().published()).isZero();
  }

  @EachDatabase
  void anEventIsThereAfterTheCommitAndNotBefore() {
    required(
        tx -> {
          publish("kept");
          assertThat(bus.backlog().depth()).as("asked on another connection").isZero();
          assertThat(bus.counts().published()).isZero();
        });

    assertThat(payloads()).containsExactly("kept");
    assertThat(bus.counts().published()).isEqualTo(1);
  }

  /** Time stands still, so nothing but a wake-up makes the workers look again. */
  @EachDatabase
  void workersAreWokenUpByTheCommit() throws Exception {
    bus.start();
    publish("first");
    Eventually.await("handled", () -> handled.size() == 1);
    required(tx -> publish("second"));
    Eventually.await("handled", () -> handled.size() == 2);
    required(tx -> bus.publishAll(List.of(Event.of("A", "third"), Event.of("A", "fourth"))));
    Eventually.await("handled", () -> handled.size() == 4);

    assertThat(handled).containsExactlyInAnyOrder("first", "second", "third", "fourth");
  }

  @EachDatabase
  void withoutATransactionAnEventHasItsOwn() {
    publish("alone");
    with(TransactionDefinition.PROPAGATION_SUPPORTS, tx -> publish("no transaction to support"));
    required(
        tx -> {
          with(TransactionDefinition.PROPAGATION_NOT_SUPPORTED, inner -> publish("outside"));
          publish("lost");
          tx.setRollbackOnly();
        });

    assertThat(payloads()).containsExactly("alone", "no transaction to support", "outside");
    assertThat(bus.counts().published()).isEqualTo(3);
  }

  @EachDatabase
  void anInnerTransactionKeepsItsEventWhenTheOuterOneFailsAndTheOtherWayRound() {
    required(
        tx -> {
          publish("lost");
          with(TransactionDefinition.PROPAGATION_REQUIRES_NEW, inner -> publish("inner"));
          publish("lost too");
          tx.setRollbackOnly();
        });
    required(
        tx -> {
          publish("outer");
          with(
              TransactionDefinition.PROPAGATION_REQUIRES_NEW,
              inner -> {
                publish("lost");
                inner.setRollbackOnly();
              });
        });

    assertThat(payloads()).containsExactly("inner", "outer");
    assertThat(bus.counts().published()).isEqualTo(2);
  }

  @EachDatabase
  void aRolledBackSavepointTakesItsEventsWithIt() {
    required(
        tx -> {
          publish("before");
          with(
              TransactionDefinition.PROPAGATION_NESTED,
              nested -> {
                publish("lost");
                nested.setRollbackOnly();
              });
          with(TransactionDefinition.PROPAGATION_NESTED, nested -> publish("kept"));
        });

    assertThat(payloads()).containsExactly("before", "kept");
    assertThat(bus.counts().published()).isEqualTo(2);
  }

  private static void atTheEnd(Runnable afterCommit, Runnable afterCompletion) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            afterCommit.run();
          }

          @Override
          public void afterCompletion(int status) {
            afterCompletion.run();
          }
        });
  }

  @EachDatabase
  void whatRunsAfterTheCommitPublishesInATransactionOfItsOwn() {
    required(tx -> atTheEnd(() -> publish("after commit"), () -> publish("after completion")));
    required(
        tx -> {
          publish("inside");
          atTheEnd(() -> publish("after commit 2"), () -> publish("after completion 2"));
        });
    required(
        tx -> {
          atTheEnd(() -> publish("never"), () -> publish("after rollback"));
          tx.setRollbackOnly();
        });

    assertThat(payloads())
        .containsExactly(
            "after commit",
            "after completion",
            "inside",
            "after commit 2",
            "after completion 2",
            "after rollback");
    assertThat(bus.counts().published()).isEqualTo(6);
  }

  @EachDatabase
  void aReadOnlyTransactionIsRefusedWithTheWayOutOnEveryDatabase() {
    TransactionTemplate reading = new TransactionTemplate(manager);
    reading.setReadOnly(true);

    assertThatIllegalStateException()
        .isThrownBy(() -> reading.executeWithoutResult(tx -> publish("x")))
        .withMessageContaining("must be able to write but is read-only")
        .withMessageContaining("remove readOnly = true");
    assertThat(payloads()).isEmpty();
  }

  @EachDatabase
  void aTransactionElsewhereIsRefusedWithTheWayOut(TestDatabase database) {
    TransactionTemplate elsewhere =
        new TransactionTemplate(new DataSourceTransactionManager(database.dataSource()));

    assertThatIllegalStateException()
        .isThrownBy(() -> elsewhere.executeWithoutResult(tx -> publish("x")))
        .withMessageContaining("must be on the event bus's data source but has no connection")
        .withMessageContaining("NOT_SUPPORTED");
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                elsewhere.executeWithoutResult(
                    tx -> {
                      payloads(); // leaves a connection behind that commits by itself
                      publish("x");
                    }))
        .withMessageContaining("auto-commit mode");
    assertThat(payloads()).isEmpty();
  }

  @EachDatabase
  void aTransactionThatTellsNobodyOfItsEndRunsButIsRefused() {
    manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);

    required(tx -> new JdbcTemplate(pool).queryForObject("SELECT 1", Integer.class));
    assertThatIllegalStateException()
        .isThrownBy(() -> required(tx -> publish("x")))
        .withMessageContaining("must tell when it ends but does not")
        .withMessageContaining("SYNCHRONIZATION_ALWAYS");
    assertThat(payloads()).isEmpty();
  }

  @EachDatabase
  void whatIsTooLargeIsRefusedBeforeTheTransactionIsTouched() {
    required(
        tx -> {
          assertThatIllegalArgumentException()
              .isThrownBy(() -> publish("x".repeat(1_048_577)))
              .withMessageContaining("1048576 bytes or fewer");
          publish("kept");
        });

    assertThat(payloads()).containsExactly("kept");
  }
}
