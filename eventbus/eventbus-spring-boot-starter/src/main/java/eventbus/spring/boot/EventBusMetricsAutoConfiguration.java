package eventbus.spring.boot;

import eventbus.EventBus;
import holdfast.micrometer.LedgerMetrics;
import holdfast.time.TimeSource;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * The meters of the event bus and its ledger, where there is a registry; Boot binds them to it.
 * Stateless.
 */
@AutoConfiguration(
    after = EventBusAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass({MeterRegistry.class, LedgerMetrics.class})
@ConditionalOnBean({MeterRegistry.class, EventBus.class, BacklogReading.class})
public class EventBusMetricsAutoConfiguration {

  /** For Spring. */
  public EventBusMetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  EventBusMeters eventBusMeters(EventBus bus, BacklogReading backlog) {
    return new EventBusMeters(bus, backlog);
  }

  @Bean
  @ConditionalOnMissingBean(name = "eventBusLedgerMetrics")
  LedgerMetrics eventBusLedgerMetrics(EventBus bus, EventBusProperties properties) {
    Duration maxAge = properties.metrics().ledgerMaxAge();
    return LedgerMetrics.of("eventbus", bus::ledger, maxAge, TimeSource.system());
  }
}
