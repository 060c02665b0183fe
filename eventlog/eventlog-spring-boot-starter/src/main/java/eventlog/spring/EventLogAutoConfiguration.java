package eventlog.spring;

import eventlog.AsyncEventLogger;
import eventlog.AsyncEventLoggerBuilder;
import eventlog.EventLogLifecycleListener;
import eventlog.EventLossCallback;
import eventlog.HttpEventLogClient;
import eventlog.HttpEventLogClientBuilder;
import eventlog.spi.EventLogClient;
import eventlog.spi.Redaction;
import holdfast.spring.boot.StartException;
import holdfast.spring.boot.UnknownProperties;
import holdfast.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * The logger of an application that names an Event Log API or has a client of its own. Every bean
 * gives way to the application's own. Stateless.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "eventlog.enabled", matchIfMissing = true)
@EnableConfigurationProperties(EventLogProperties.class)
public class EventLogAutoConfiguration {

  /** For Spring. */
  public EventLogAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(EventLogClient.class)
  @ConditionalOnProperty("eventlog.base-url")
  HttpEventLogClient eventLogClient(
      EventLogProperties properties,
      ObjectProvider<TimeSource> time,
      ObjectProvider<EventLogClientCustomizer> customizers) {
    HttpEventLogClientBuilder builder = EventLogSettings.client(properties);
    time.ifUnique(builder::time);
    return settingsOrWayOut(
        () -> {
          customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
          return builder.build();
        });
  }

  /** What customizers set may be out of range as well. */
  private static <T> T settingsOrWayOut(Supplier<T> built) {
    try {
      return built.get();
    } catch (IllegalArgumentException e) {
      throw new StartException(
          String.valueOf(e.getMessage()), "correct the settings of the event log", e);
    }
  }

  @Bean
  UnknownProperties eventLogUnknownProperties(Environment environment) {
    return new UnknownProperties("eventlog", environment);
  }

  @Bean
  EventLogShutdown eventLogShutdown() {
    return new EventLogShutdown();
  }

  /** Closed by {@link EventLogShutdown}, later than Spring would by itself. */
  @Bean(destroyMethod = "")
  @ConditionalOnBean(EventLogClient.class)
  @ConditionalOnMissingBean
  AsyncEventLogger asyncEventLogger(
      EventLogProperties properties,
      EventLogClient client,
      EventLogShutdown shutdown,
      ObjectProvider<EventLossCallback> callbacks,
      ObjectProvider<EventLogLifecycleListener> lifecycleListeners,
      ObjectProvider<Redaction> redactions,
      ObjectProvider<TimeSource> time,
      ObjectProvider<EventLogCustomizer> customizers) {
    AsyncEventLoggerBuilder builder = EventLogSettings.logger(properties).client(client);
    callbacks.ifUnique(builder::eventLossCallback);
    builder.lifecycleListener(new LifecycleListeners(lifecycleListeners.orderedStream().toList()));
    time.ifUnique(builder::time);
    redaction(properties, redactions).ifPresent(builder::redaction);
    return settingsOrWayOut(
        () -> {
          customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
          return shutdown.closes(builder.build());
        });
  }

  /** The fields that the properties name, then the beans in their order. */
  private static Optional<Redaction> redaction(
      EventLogProperties properties, ObjectProvider<Redaction> redactions) {
    List<Redaction> all = new ArrayList<>();
    if (!properties.getRedaction().getFields().isEmpty()) {
      all.add(Redaction.ofFields(properties.getRedaction().getFields()));
    }
    redactions.orderedStream().forEach(all::add);
    return all.stream().reduce(Redaction::andThen);
  }

  @Bean
  @ConditionalOnBean(AsyncEventLogger.class)
  @ConditionalOnMissingBean
  EventLogContext eventLogContext(EventLogProperties properties, Environment environment) {
    return new EventLogContext(properties, environment.getProperty("spring.application.name"));
  }

  @Bean
  @ConditionalOnBean(AsyncEventLogger.class)
  LogEventScan logEventScan(ConfigurableListableBeanFactory beans) {
    return new LogEventScan(beans);
  }

  @Bean
  @ConditionalOnBean(AsyncEventLogger.class)
  static LogEventProxies logEventProxies(
      Environment environment,
      ObjectProvider<AsyncEventLogger> logger,
      ObjectProvider<EventLogContext> context,
      ObjectProvider<TimeSource> time) {
    boolean classes =
        environment.getProperty("spring.aop.proxy-target-class", Boolean.class, Boolean.TRUE);
    return new LogEventProxies(new LogEventAdvice(logger, context, time), classes);
  }
}
