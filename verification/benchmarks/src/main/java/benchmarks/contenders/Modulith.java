package benchmarks.contenders;

import benchmarks.Contender;
import benchmarks.Deliveries;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring Modulith's event publication registry on JDBC, as its auto-configuration sets it up. */
public final class Modulith implements Contender {
  private final DataSource dataSource;
  private final ConfigurableApplicationContext application;
  private final TransactionTemplate transactions;

  /**
   * What is published and kept.
   *
   * @param number identifies the event
   * @param payload what every contender's event carries
   */
  public record Measured(long number, String payload) {}

  /** Starts an application that has nothing but a listener. */
  public Modulith(DataSource dataSource, Deliveries deliveries) {
    this.dataSource = dataSource;
    this.application =
        new SpringApplicationBuilder(Application.class)
            .initializers(
                context -> {
                  context.getBeanFactory().registerSingleton("dataSource", dataSource);
                  context.getBeanFactory().registerSingleton("deliveries", deliveries);
                })
            .properties(
                Map.of(
                    "spring.modulith.events.jdbc.schema-initialization.enabled", true,
                    "spring.main.web-application-type", "none",
                    "spring.main.banner-mode", "off",
                    "logging.level.root", "warn"))
            .run();
    this.transactions =
        new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
  }

  @Override
  public String name() {
    return "Spring Modulith JDBC";
  }

  @Override
  public void publish(long number) throws SQLException {
    transactions.executeWithoutResult(
        tx -> {
          try {
            Business.insert(DataSourceUtils.getConnection(dataSource), number);
          } catch (SQLException e) {
            throw new IllegalStateException("the business row was refused", e);
          }
          application.publishEvent(new Measured(number, Business.payload(number)));
        });
  }

  @Override
  public String unfinished() {
    return "SELECT EXISTS (SELECT 1 FROM event_publication WHERE completion_date IS NULL)";
  }

  @Override
  public void close() {
    application.close();
  }

  /** The application that Spring Boot starts. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  @EnableAsync
  static class Application {

    @Bean
    Listener listener(Deliveries deliveries) {
      return new Listener(deliveries);
    }
  }

  /** Takes each event, after its commit, on another thread and in a transaction of its own. */
  static class Listener {
    private final Deliveries deliveries;

    Listener(Deliveries deliveries) {
      this.deliveries = deliveries;
    }

    @ApplicationModuleListener
    void on(Measured event) {
      deliveries.arrived(event.number());
    }
  }
}
