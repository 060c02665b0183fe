package outbox.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.OutboxException;
import outbox.jdbc.JdbcOutbox;

/** Transactions of Spring's that are over when their owner believes them open. */
class EndedTransactionTest {
  private final Queue<String> delivered = new ConcurrentLinkedQueue<>();
  private final CountDownLatch lastCame = new CountDownLatch(1);
  private CountedDataSource dataSource;
  private SpringTxContext context;
  private DataSourceTransactionManager manager;
  private TransactionTemplate transactions;
  private JdbcTemplate sql;
  private JdbcOutbox outbox;

  @BeforeEach
  void start(TestDatabase database) {
    dataSource = new CountedDataSource(database.dataSource());
    context = new SpringTxContext(dataSource);
    manager = new DataSourceTransactionManager(dataSource);
    transactions = new TransactionTemplate(manager);
    sql = new JdbcTemplate(dataSource);
    outbox =
        JdbcOutbox.builder(dataSource)
            .createTables()
            .txContext(context)
            .workers(1)
            .listener("Made", event -> delivered.add(event.eventId()))
            .listener("Last", event -> lastCame.countDown())
            .closeTimeout(Duration.ofSeconds(5))
            .build();
    sql.update("DELETE FROM outbox_event");
    outbox.start();
  }

  @AfterEach
  void stop() {
    outbox.close();
  }

  private String publish(String type) {
    return outbox.publish(EventEnvelope.ofJson(type, "{}"));
  }

  /** With one worker, what was queued before the last one has been delivered when that is. */
  private void assertThatDeliveredOnesAreInTheTable() throws InterruptedException {
    transactions.executeWithoutResult(tx -> publish("Last"));
    assertThat(lastCame.await(20, TimeUnit.SECONDS)).isTrue();
    List<String> kept =
        sql.queryForList(
            "SELECT event_id FROM outbox_event WHERE event_type = 'Made'", String.class);
    assertThat(kept).containsAll(delivered);
  }

  private void afterCommit(Runnable action) {
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            action.run();
          }
        });
  }

  @EachDatabase
  void aCommitAfterAnErrorThatWasCaughtKeepsAllOrFails() throws Exception {
    try {
      transactions.executeWithoutResult(
          tx -> {
            publish("Made");
            assertThatThrownBy(() -> sql.queryForList("SELECT * FROM no_such_table"))
                .isInstanceOf(BadSqlGrammarException.class);
          });
    } catch (OutboxException e) {
      assertThat(e).hasMessageContaining("transaction");
    }
    assertThatDeliveredOnesAreInTheTable();
  }

  @EachDatabase
  void whatIsPublishedAfterTheCommitIsRefusedByAListenerOfTheManager() {
    manager.addListener(context);
    transactions.executeWithoutResult(
        tx ->
            afterCommit(
                () ->
                    assertThatIllegalStateException()
                        .isThrownBy(() -> publish("Made"))
                        .withMessageContaining("REQUIRES_NEW")));
    assertThat(sql.queryForList("SELECT event_id FROM outbox_event")).isEmpty();
  }

  @EachDatabase
  void withoutTheListenerItIsAtLeastNotDeliveredUnlessItIsInTheTable() throws Exception {
    dataSource.autoCommit(false);
    transactions.executeWithoutResult(tx -> afterCommit(() -> publish("Made")));
    dataSource.autoCommit(true);
    assertThatDeliveredOnesAreInTheTable();
  }
}
