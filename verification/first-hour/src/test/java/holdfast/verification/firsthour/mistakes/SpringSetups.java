package holdfast.verification.firsthour.mistakes;

import eventbus.spring.boot.EventBusAutoConfiguration;
import eventbus.spring.boot.EventBusMissingAutoConfiguration;
import eventlog.spring.EventLogAutoConfiguration;
import eventlog.spring.EventLogMissingAutoConfiguration;
import failover.spring.boot.FailoverAutoConfiguration;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import outbox.spring.boot.OutboxAutoConfiguration;
import outbox.spring.boot.OutboxMissingAutoConfiguration;
import tracer.spring.boot.TracerAutoConfiguration;
import tracer.spring.boot.TracerMissingAutoConfiguration;

/** What Spring Boot configures for an application with one starter, and nothing else. */
final class SpringSetups {

  private SpringSetups() {}

  /** A database with transactions, in memory unless a property says otherwise. */
  @Configuration
  @ImportAutoConfiguration({
    DataSourceAutoConfiguration.class,
    DataSourceTransactionManagerAutoConfiguration.class,
    TransactionAutoConfiguration.class
  })
  static class Database {}

  @Configuration
  @ImportAutoConfiguration({OutboxAutoConfiguration.class, OutboxMissingAutoConfiguration.class})
  static class WithOutbox {}

  @Configuration
  @ImportAutoConfiguration({
    EventBusAutoConfiguration.class,
    EventBusMissingAutoConfiguration.class
  })
  static class WithEventBus {}

  @Configuration
  @ImportAutoConfiguration({
    EventLogAutoConfiguration.class,
    EventLogMissingAutoConfiguration.class
  })
  static class WithEventLog {}

  @Configuration
  @ImportAutoConfiguration(FailoverAutoConfiguration.class)
  static class WithFailover {}

  @Configuration
  @ImportAutoConfiguration({TracerAutoConfiguration.class, TracerMissingAutoConfiguration.class})
  static class WithTracer {}

  /** A database that is down. */
  @Configuration
  static class DatabaseDown {
    @Bean
    DataSource down() {
      return Databases.down();
    }
  }
}
