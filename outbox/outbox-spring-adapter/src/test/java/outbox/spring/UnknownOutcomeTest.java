package outbox.spring;

import static holdfast.testkit.db.DatabaseKind.H2;
import static holdfast.testkit.db.DatabaseKind.POSTGRESQL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.support.TransactionTemplate;
import outbox.EventEnvelope;
import outbox.dispatch.LeaseSettings;
import outbox.jdbc.JdbcOutbox;

/** A commit whose answer never came: nobody knows, so the table is asked. */
class UnknownOutcomeTest {

  private static final LeaseSettings SHORT_LEASE =
      new LeaseSettings(
          "node",
          Duration.ofMillis(500),
          Duration.ofMillis(100),
          Duration.ofMillis(50),
          Duration.ofMinutes(1));

  private final BlockingQueue<String> delivered = new LinkedBlockingQueue<>();
  private CountedDataSource dataSource;
  private JdbcOutbox outbox;

  @BeforeEach
  void start(TestDatabase database) {
    dataSource = new CountedDataSource(database.dataSource());
    outbox =
        JdbcOutbox.builder(database.dataSource())
            .createTables()
            .txContext(new SpringTxContext(dataSource))
            .lease(SHORT_LEASE)
            .pollInterval(Duration.ofMillis(50))
            .listener("OrderPlaced", event -> delivered.add(event.eventId()))
            .build();
    outbox.start();
  }

  @AfterEach
  void stop() {
    outbox.close();
  }

  private String publishWith(Runnable beforeCommit) {
    EventEnvelope event = EventEnvelope.ofJson("OrderPlaced", "{}");
    assertThatThrownBy(
            () ->
                new TransactionTemplate(new DataSourceTransactionManager(dataSource))
                    .executeWithoutResult(
                        tx -> {
                          outbox.publish(event);
                          beforeCommit.run();
                        }))
        .isInstanceOf(TransactionSystemException.class);
    return event.eventId();
  }

  @EachDatabase({H2, POSTGRESQL})
  void whatWasCommittedAllTheSameIsFoundByThePollerAndDeliveredOnce() throws Exception {
    String id = publishWith(() -> dataSource.loseAnswersOfCommits(true));
    dataSource.loseAnswersOfCommits(false);

    assertThat(outbox.dispatcher().inFlight()).as("not queued on a guess").isZero();
    assertThat(delivered.poll(30, TimeUnit.SECONDS)).isEqualTo(id);
    awaitDone(id);
    assertThat(delivered).isEmpty();
  }

  @EachDatabase({H2, POSTGRESQL})
  void whatWasNotCommittedIsNeverDelivered() {
    JdbcTemplate sql = new JdbcTemplate(dataSource);
    String id = publishWith(dataSource::failCommits);

    assertThat(sql.queryForList("SELECT event_id FROM outbox_event", String.class))
        .doesNotContain(id);
    assertThat(outbox.dispatcher().inFlight()).isZero();
    assertThat(delivered).isEmpty();
  }

  private void awaitDone(String id) {
    JdbcTemplate sql = new JdbcTemplate(dataSource);
    String status = "SELECT status FROM outbox_event WHERE event_id = ?";
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (sql.queryForObject(status, Integer.class, id) != 1 && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
    assertThat(sql.queryForObject(status, Integer.class, id)).isEqualTo(1);
  }
}
