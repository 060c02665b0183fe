package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import holdfast.testkit.threads.Eventually;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.dispatch.DefaultInFlightTracker;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.OutboxDispatcher;
import outbox.model.EventStatus;
import outbox.poller.OutboxPoller;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.MetricsExporter;

/** The specification's quick start, letter by letter but for the data source it leaves open. */
@Timeout(60)
class AppendixATest {

  @EachDatabase
  void asPrintedItCompilesAndRuns(TestDatabase database) throws Exception {
    Table table = Table.fresh(database);
    // spotless:off
    DataSource dataSource = /* your DataSource */ database.dataSource();

    JdbcOutboxRepository repository = new JdbcOutboxRepository();
    DataSourceConnectionProvider connectionProvider = new DataSourceConnectionProvider(dataSource);
    ThreadLocalTxContext txContext = new ThreadLocalTxContext();

    OutboxDispatcher dispatcher = new OutboxDispatcher(
        connectionProvider,
        repository,
        new DefaultListenerRegistry()
            .register("UserCreated", event -> {
              // publish to MQ, update cache, call API, etc.
            })
            .registerAll(event -> {
              // audit/logging for all events
            }),
        new DefaultInFlightTracker(),
        new ExponentialBackoffRetryPolicy(200, 60_000),
        10, 4, 1000, 1000,
        MetricsExporter.NOOP
    );

    OutboxPoller poller = new OutboxPoller(
        connectionProvider, repository, dispatcher,
        Duration.ofMillis(1000), 200, 5000,
        MetricsExporter.NOOP
    );
    poller.start();

    JdbcTransactionManager txManager = new JdbcTransactionManager(connectionProvider, txContext);

    try (JdbcTransactionManager.Transaction tx = txManager.begin()) {
      OutboxClient client = new OutboxClient(txContext, repository, dispatcher, MetricsExporter.NOOP);
      client.publish(EventEnvelope.ofJson("UserCreated", "{\"id\":123}"));
      tx.commit();
    }
    // spotless:on
    Eventually.await("done", () -> table.countOf(EventStatus.DONE) == 1);
    table.addCounters(1_000);
    Eventually.await("counters are folded", () -> table.counters() < 200);
    poller.close();
    dispatcher.close();
    assertThat(table.countWhere("event_type = 'UserCreated' AND attempts = 0")).isEqualTo(1);
  }
}
