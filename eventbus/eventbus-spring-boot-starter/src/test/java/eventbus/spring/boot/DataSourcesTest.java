package eventbus.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import eventbus.Event;
import eventbus.EventBus;
import eventbus.spring.EventBusHandler;
import holdfast.testkit.threads.Eventually;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** Which data source the bus takes, and how it treats it. */
class DataSourcesTest {

  private static DataSource inMemory() {
    return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
  }

  @Configuration
  static class TwoDataSources {
    @Bean
    DataSource first() {
      return new DriverManagerDataSource("jdbc:h2:mem:first");
    }

    @Bean
    DataSource second() {
      return new DriverManagerDataSource("jdbc:h2:mem:second");
    }
  }

  @Configuration
  static class OneIsPrimary {
    @Bean
    @Primary
    DataSource orders() {
      return inMemory();
    }

    @Bean
    DataSource archive() {
      return new DriverManagerDataSource("jdbc:h2:mem:archive");
    }
  }

  @Configuration
  static class TransactionAware {
    @Bean
    DataSource dataSource() {
      return new TransactionAwareDataSourceProxy(inMemory());
    }
  }

  @Configuration
  static class NotEmbedded {
    @Bean
    DataSource dataSource() {
      return new DriverManagerDataSource("jdbc:h2:file:./target/not-embedded");
    }
  }

  @Test
  void twoDataSourcesAndNoPrimaryOneLeaveTheChoiceToTheApplication() {
    Contexts.runner()
        .withUserConfiguration(TwoDataSources.class)
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EventBus.class));
  }

  @Test
  void ofTwoDataSourcesThePrimaryOneIsTaken() {
    Contexts.runner()
        .withUserConfiguration(OneIsPrimary.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(EventBus.class);
              assertThat(Contexts.rows(context, "events")).isZero();
            });
  }

  static class Publishes {
    private final EventBus bus;

    Publishes(EventBus bus) {
      this.bus = bus;
    }

    @EventBusHandler("Start")
    @Transactional
    public void next(Event event) {
      bus.publish(Event.of("Taken", "{}"));
    }
  }

  @Test
  void aTransactionAwareDataSourceIsNeverCommittedByTheBus() {
    Contexts.runner()
        .withUserConfiguration(TransactionAware.class)
        .withBean(Desk.class)
        .withBean(Publishes.class)
        .run(
            context -> {
              context
                  .getBean(TransactionTemplate.class)
                  .executeWithoutResult(
                      tx -> {
                        Contexts.publish(context, "Taken");
                        assertThat(Contexts.bus(context).backlog().depth())
                            .as("asked on another connection")
                            .isZero();
                        tx.setRollbackOnly();
                      });
              assertThat(Contexts.bus(context).ledger().accepted()).isZero();
              Contexts.publish(context, "Start");
              Eventually.await("taken", () -> context.getBean(Desk.class).taken() == 1);
            });
  }

  @Test
  void tablesOfADatabaseThatIsNotEmbeddedAreNotCreated() {
    Contexts.runner()
        .withUserConfiguration(NotEmbedded.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasMessageContaining("eventbus.initialize-schema=always"));
  }
}
