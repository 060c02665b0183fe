package outbox.spring;

import static org.assertj.core.api.Assertions.assertThat;

import holdfast.testkit.db.EachDatabase;
import holdfast.testkit.db.TestDatabase;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import outbox.EventEnvelope;
import outbox.OutboxClient;
import outbox.dispatch.DefaultInFlightTracker;
import outbox.dispatch.ExponentialBackoffRetryPolicy;
import outbox.dispatch.OutboxDispatcher;
import outbox.jdbc.DataSourceConnectionProvider;
import outbox.jdbc.JdbcOutboxRepository;
import outbox.jdbc.OutboxSchema;
import outbox.registry.DefaultListenerRegistry;
import outbox.spi.MetricsExporter;

/** The specification's Spring integration as printed, with its plain wiring around it. */
@Timeout(60)
class AppendixBTest {
  private static final BlockingQueue<String> DELIVERED = new LinkedBlockingQueue<>();
  private static DataSource given;

  static class Users {
    private final OutboxClient client;

    Users(OutboxClient client) {
      this.client = client;
    }

    @Transactional
    public String create() {
      return client.publish(EventEnvelope.ofJson("UserCreated", "{\"id\":123}"));
    }

    @Transactional
    public void createAndFail() {
      create();
      throw new IllegalArgumentException("no");
    }
  }

  @Configuration
  @EnableTransactionManagement(proxyTargetClass = true)
  static class Beans {
    @Bean
    DataSourceTransactionManager transactionManager() {
      return new DataSourceTransactionManager(given);
    }

    @Bean
    OutboxDispatcher dispatcher() {
      return new OutboxDispatcher(
          new DataSourceConnectionProvider(given),
          new JdbcOutboxRepository(),
          new DefaultListenerRegistry().registerAll(event -> DELIVERED.add(event.eventId())),
          new DefaultInFlightTracker(),
          new ExponentialBackoffRetryPolicy(200, 60_000),
          10,
          4,
          1000,
          1000,
          MetricsExporter.NOOP);
    }

    @Bean
    Users users(OutboxDispatcher dispatcher) {
      DataSource dataSource = given;
      // spotless:off
      SpringTxContext txContext = new SpringTxContext(dataSource);
      // Use OutboxClient with SpringTxContext inside @Transactional methods
      // spotless:on
      return new Users(
          new OutboxClient(
              txContext, new JdbcOutboxRepository(), dispatcher, MetricsExporter.NOOP));
    }
  }

  @EachDatabase
  void asPrintedItJoinsTheTransactionOfTheMethod(TestDatabase database) throws Exception {
    given = database.dataSource();
    OutboxSchema.createIfMissing(given);
    DELIVERED.clear();
    try (AnnotationConfigApplicationContext beans =
        new AnnotationConfigApplicationContext(Beans.class)) {
      Users users = beans.getBean(Users.class);
      try {
        users.createAndFail();
      } catch (IllegalArgumentException expected) {
        assertThat(expected).hasMessage("no");
      }
      String id = users.create();
      assertThat(DELIVERED.poll(30, TimeUnit.SECONDS)).isEqualTo(id);
    }
    assertThat(DELIVERED).isEmpty();
  }
}
