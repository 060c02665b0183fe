package eventbus.spring.boot;

import eventbus.CurrentTransaction;
import eventbus.EventBus;
import eventbus.EventBusBuilder;
import eventbus.EventBusException;
import eventbus.EventBusLifecycleListener;
import eventbus.RetryPolicy;
import eventbus.spring.SpringTransaction;
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

/**
 * The event bus of an application with one data source, or a primary one. Every bean gives way to
 * the application's own. Stateless.
 */
@AutoConfiguration(after = DataSourceAutoConfiguration.class)
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnBooleanProperty(name = "eventbus.enabled", matchIfMissing = true)
@EnableConfigurationProperties(EventBusProperties.class)
public class EventBusAutoConfiguration {

  /** For Spring. */
  public EventBusAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(CurrentTransaction.class)
  SpringTransaction eventBusTransaction(DataSource dataSource) {
    return new SpringTransaction(dataSource);
  }

  @Bean
  @ConditionalOnMissingBean
  @DependsOnDatabaseInitialization
  EventBus eventBus(
      DataSource dataSource,
      EventBusProperties properties,
      CurrentTransaction transaction,
      ObjectProvider<RetryPolicy> retryPolicy,
      ObjectProvider<EventBusLifecycleListener> listeners,
      ObjectProvider<Payloads> payloads,
      ObjectProvider<EventBusCustomizer> customizers) {
    DataSource target = SpringTransaction.target(dataSource);
    try {
      EventBusBuilder builder =
          EventBusSettings.builder(target, properties, retryPolicy.getIfAvailable())
              .transaction(transaction)
              .lifecycleListener(new EventBusListeners(listeners.orderedStream().toList()))
              .payloads(payloads.getIfAvailable(Payloads::discovered));
      customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new StartException(
          String.valueOf(e.getMessage()), "correct the settings of the event bus", e);
    } catch (EventBusException e) {
      throw new StartException(
          String.valueOf(e.getMessage()), SchemaCreation.adviceFor(e, wayToTables(properties)), e);
    }
  }

  private static String wayToTables(EventBusProperties properties) {
    return SchemaCreation.wayToTables(
        "the tables %s and %s".formatted(properties.eventsTable(), properties.logTable()),
        "eventbus",
        properties.initializeSchema(),
        "eventbus/schema/<database>.sql from eventbus-core");
  }

  @Bean
  HandlerBeans eventBusHandlerBeans(ConfigurableListableBeanFactory beans, EventBus bus) {
    return new HandlerBeans(beans, bus);
  }

  @Bean
  UnknownProperties eventBusUnknownProperties(Environment environment) {
    return new UnknownProperties("eventbus", environment);
  }

  @Bean
  LibraryLifecycle eventBusLifecycle(EventBus bus, EventBusProperties properties) {
    return new LibraryLifecycle(
        "the event bus", bus::start, () -> bus.close(properties.closeTimeout()));
  }

  @Bean
  BacklogReading eventBusBacklogReading(EventBus bus, EventBusProperties properties) {
    return new BacklogReading(bus::backlog, properties.metrics().ledgerMaxAge());
  }
}
