package outbox.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import holdfast.spring.LibraryLifecycle;
import holdfast.testkit.threads.Eventually;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import outbox.OutboxClient;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.OutboxBacklog;
import outbox.spi.MetricsExporter;
import outbox.spi.TxContext;
import outbox.spring.SpringTxContext;

class OutboxAutoConfigurationTest {

  @Configuration
  static class OwnOutbox {
    @Bean
    JdbcOutbox myOutbox(DataSource dataSource) {
      return JdbcOutbox.builder(dataSource).createTables().publishOnly().build();
    }
  }

  @Configuration
  static class OwnParts {
    static final TxContext TX_CONTEXT = new SpringTxContext(new DriverManagerDataSource());

    @Bean
    TxContext myTxContext() {
      return TX_CONTEXT;
    }

    @Bean
    MetricsExporter myMetrics() {
      return MetricsExporter.NOOP;
    }
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
  static class CustomTable {
    @Bean
    OutboxCustomizer customizer() {
      return builder -> builder.table("customized");
    }
  }

  private static int rows(org.springframework.context.ApplicationContext context, String table) {
    return context
        .getBean(JdbcTemplate.class)
        .queryForObject("SELECT COUNT(*) FROM " + table, Integer.class);
  }

  @Test
  void aDataSourceIsEnough() {
    Contexts.runner()
        .run(
            context -> {
              assertThat(context).hasSingleBean(OutboxClient.class);
              assertThat(context).hasSingleBean(JdbcOutbox.class);
              assertThat(context).hasSingleBean(SpringTxContext.class);
              assertThat(context).hasSingleBean(OutboxBacklog.class);
              assertThat(context.getBean("outboxLifecycle", LibraryLifecycle.class).isRunning())
                  .isTrue();
              assertThat(rows(context, "outbox_event")).isZero();
            });
  }

  @Test
  void thePoolMayReplaceTheConnectionThatCreatedTheTables() {
    Contexts.runner()
        .withBean(Desk.class)
        .run(
            context -> {
              HikariDataSource pool = context.getBean(HikariDataSource.class);
              pool.getHikariPoolMXBean().softEvictConnections();

              String eventId = Contexts.publish(context, "Taken", "{}");

              Eventually.await(
                  "the event to be delivered", () -> Contexts.status(context, eventId) == 1);
            });
  }

  @Test
  void enabledFalseLeavesNothing() {
    Contexts.runner()
        .withPropertyValues("outbox.enabled=false")
        .run(
            context -> {
              assertThat(context).hasNotFailed().doesNotHaveBean(OutboxClient.class);
              assertThat(context).doesNotHaveBean(JdbcOutbox.class);
              assertThat(context).doesNotHaveBean(OutboxHealthIndicator.class);
            });
  }

  @Test
  void withoutMicrometerAndActuatorTheOutboxWorks() {
    Contexts.runner()
        .withClassLoader(
            new FilteredClassLoader(
                "io.micrometer",
                "org.springframework.boot.actuate",
                "org.springframework.boot.health"))
        .run(
            context -> {
              assertThat(context).hasNotFailed().hasSingleBean(OutboxClient.class);
              assertThat(context).doesNotHaveBean("outboxHealthIndicator");
              assertThat(context).doesNotHaveBean("outboxEndpoint");
              assertThat(context).doesNotHaveBean("outboxMeters");
            });
  }

  @Test
  void theApplicationsOwnOutboxWins() {
    Contexts.runner()
        .withUserConfiguration(OwnOutbox.class)
        .run(
            context -> {
              assertThat(context).hasSingleBean(JdbcOutbox.class).hasBean("myOutbox");
              assertThat(context.getBean(OutboxClient.class))
                  .isSameAs(context.getBean(JdbcOutbox.class).client());
            });
  }

  @Test
  void theApplicationsOwnPartsWin() {
    Contexts.runner()
        .withUserConfiguration(OwnParts.class)
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              assertThat(context.getBean(TxContext.class)).isSameAs(OwnParts.TX_CONTEXT);
              assertThat(context).doesNotHaveBean(OutboxCounters.class);
              assertThat(context.getBean(MetricsExporter.class)).isSameAs(MetricsExporter.NOOP);
            });
  }

  @Test
  void aCustomizerHasTheLastWord() {
    Contexts.runner()
        .withUserConfiguration(CustomTable.class)
        .withPropertyValues("outbox.table=ignored")
        .run(context -> assertThat(rows(context, "customized")).isZero());
  }

  @Test
  void twoDataSourcesAndNoPrimaryOneLeaveTheChoiceToTheApplication() {
    Contexts.runner()
        .withUserConfiguration(TwoDataSources.class)
        .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(JdbcOutbox.class));
  }

  @Test
  void aMissingTableFailsTheStartWithTheWaysOut() {
    Contexts.runner()
        .withPropertyValues("outbox.initialize-schema=never")
        .run(
            context ->
                assertThat(context)
                    .getFailure()
                    .rootCause()
                    .satisfies(
                        root ->
                            assertThat(context.getStartupFailure())
                                .hasMessageContaining("outbox.initialize-schema=always")
                                .hasMessageContaining("outbox/jdbc/schema")));
  }

  @Test
  void tablesAreCreatedAlwaysIfToldSo() {
    Contexts.runner()
        .withPropertyValues("outbox.initialize-schema=always", "outbox.table=another")
        .run(context -> assertThat(rows(context, "another")).isZero());
  }

  @Test
  void tablesOfADatabaseThatIsNotEmbeddedAreNotCreated() {
    Contexts.runner()
        .withUserConfiguration(NotEmbedded.class)
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .hasMessageContaining("outbox.initialize-schema=always"));
  }

  @Configuration
  static class NotEmbedded {
    @Bean
    DataSource dataSource() {
      return new DriverManagerDataSource("jdbc:h2:file:./target/not-embedded");
    }
  }
}
