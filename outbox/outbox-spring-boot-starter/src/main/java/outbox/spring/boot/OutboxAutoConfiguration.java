package outbox.spring.boot;

import holdfast.payload.Payloads;
import holdfast.spring.LibraryLifecycle;
import holdfast.spring.boot.SchemaCreation;
import holdfast.spring.boot.StartException;
import holdfast.spring.boot.UnknownProperties;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import outbox.OutboxClient;
import outbox.OutboxException;
import outbox.OutboxLifecycleListener;
import outbox.dispatch.RetryPolicy;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.JdbcOutboxBuilder;
import outbox.jdbc.OutboxBacklog;
import outbox.spi.MetricsExporter;
import outbox.spi.TraceContext;
import outbox.spi.TxContext;
import outbox.spring.SpringTxContext;

/**
 * The outbox of an application with one data source, or a primary one. Every bean gives way to the
 * application's own. Stateless.
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class)
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnBooleanProperty(name = "outbox.enabled", matchIfMissing = true)
@EnableConfigurationProperties(OutboxProperties.class)
public class OutboxAutoConfiguration {

  /** For Spring. */
  public OutboxAutoConfiguration() {}

  @Bean
  static ListenerBeans outboxListenerBeans(ConfigurableListableBeanFactory beans) {
    return new ListenerBeans(beans);
  }

  @Bean
  @ConditionalOnMissingBean(MetricsExporter.class)
  OutboxCounters outboxCounters() {
    return new OutboxCounters();
  }

  @Bean
  @ConditionalOnMissingBean(TxContext.class)
  SpringTxContext outboxTxContext(DataSource dataSource) {
    return new SpringTxContext(dataSource);
  }

  @Bean
  @ConditionalOnMissingBean
  @DependsOnDatabaseInitialization
  JdbcOutbox jdbcOutbox(
      DataSource dataSource,
      OutboxProperties properties,
      ListenerBeans listeners,
      TxContext txContext,
      MetricsExporter metrics,
      ObjectProvider<TraceContext> traceContext,
      ObjectProvider<Payloads> payloads,
      ObjectProvider<RetryPolicy> retryPolicy,
      ObjectProvider<OutboxLifecycleListener> lifecycleListeners,
      ObjectProvider<OutboxCustomizer> customizers) {
    try {
      JdbcOutboxBuilder builder =
          OutboxSettings.builder(dataSource, properties, retryPolicy.getIfAvailable())
              .listeners(listeners)
              .txContext(txContext)
              .metrics(metrics)
              .lifecycleListener(
                  new LifecycleListeners(lifecycleListeners.orderedStream().toList()))
              .traceContext(traceContext.getIfAvailable(() -> TraceContext.NONE))
              .payloads(payloads.getIfAvailable(Payloads::discovered));
      customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new StartException(
          String.valueOf(e.getMessage()), "correct the settings of the outbox", e);
    } catch (OutboxException e) {
      throw new StartException(
          String.valueOf(e.getMessage()), SchemaCreation.adviceFor(e, wayToATable(properties)), e);
    }
  }

  private static String wayToATable(OutboxProperties properties) {
    return SchemaCreation.wayToTables(
        "the table " + properties.table(),
        "outbox",
        properties.initializeSchema(),
        "outbox/jdbc/schema/<database>.sql from outbox-jdbc");
  }

  @Bean
  @ConditionalOnMissingBean
  OutboxClient outboxClient(JdbcOutbox outbox) {
    return outbox.client();
  }

  @Bean
  UnknownProperties outboxUnknownProperties(Environment environment) {
    return new UnknownProperties("outbox", environment);
  }

  @Bean
  LibraryLifecycle outboxLifecycle(JdbcOutbox outbox, OutboxProperties properties) {
    return new LibraryLifecycle(
        "the outbox", outbox::start, () -> outbox.close(properties.closeTimeout()));
  }

  @Bean
  @ConditionalOnMissingBean
  OutboxBacklog outboxBacklog(JdbcOutbox outbox) {
    return outbox.backlog();
  }
}
