package eventbus.spring;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.Event;
import eventbus.EventBus;
import holdfast.testkit.log.CapturedLog;
import java.util.UUID;
import java.util.logging.Level;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** A transaction manager that was not told to announce its transactions. */
class LateSynchronizationTest {

  @Test
  void whatIsPublishedAfterACommitNobodyAnnouncedIsReported() {
    DataSource dataSource =
        new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    EventBus bus =
        EventBus.builder(dataSource)
            .createTables()
            .transaction(new SpringTransaction(dataSource))
            .build();
    TransactionTemplate unannounced =
        new TransactionTemplate(new DataSourceTransactionManager(dataSource));

    try (CapturedLog log = new CapturedLog("eventbus")) {
      unannounced.executeWithoutResult(
          tx ->
              TransactionSynchronizationManager.registerSynchronization(
                  new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                      bus.publish(Event.of("A", "{}"));
                    }
                  }));

      assertThat(log.messages(Level.SEVERE))
          .singleElement()
          .asString()
          .contains("published after the commit", "times=1", "add SpringTransaction");
      assertThat(bus.counts().published()).isZero();
    }
  }
}
