package holdfast.spring.test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.TransactionTemplate;

/** Applications above an embedded database of their own, with transactions. */
public final class DatabaseApps {

  private DatabaseApps() {}

  @Configuration
  @EnableTransactionManagement(proxyTargetClass = true)
  static class Transactions {
    @Bean
    @Lazy
    TransactionTemplate transactionTemplate(PlatformTransactionManager transactions) {
      return new TransactionTemplate(transactions);
    }
  }

  /** One with these configurations after those of the database. */
  public static ApplicationContextRunner with(Class<?>... autoConfigurations) {
    return new ApplicationContextRunner()
        .withPropertyValues("spring.datasource.generate-unique-name=true")
        .withConfiguration(
            AutoConfigurations.of(
                DataSourceAutoConfiguration.class,
                DataSourceTransactionManagerAutoConfiguration.class,
                JdbcTemplateAutoConfiguration.class))
        .withConfiguration(AutoConfigurations.of(autoConfigurations))
        .withUserConfiguration(Transactions.class);
  }
}
