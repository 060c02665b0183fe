package eventlog.spring;

import eventlog.AsyncEventLogger;
import holdfast.micrometer.LedgerMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * The logger's meters and its ledger, where there is a registry; Boot binds them to it. Stateless.
 */
@AutoConfiguration(
    after = EventLogAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass({MeterRegistry.class, LedgerMetrics.class})
@ConditionalOnBean({MeterRegistry.class, AsyncEventLogger.class})
@ConditionalOnBooleanProperty(name = "eventlog.metrics.enabled", matchIfMissing = true)
public class EventLogMetricsAutoConfiguration {

  /** For Spring. */
  public EventLogMetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(name = "eventLogMeters")
  EventLogMeters eventLogMeters(AsyncEventLogger logger) {
    return new EventLogMeters(logger);
  }

  @Bean
  @ConditionalOnMissingBean(name = "eventLogLedgerMetrics")
  LedgerMetrics eventLogLedgerMetrics(AsyncEventLogger logger) {
    return LedgerMetrics.of("eventlog", logger::ledger);
  }
}
