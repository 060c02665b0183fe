package outbox.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** The outbox's meters, where there is a registry for them. Stateless. */
@AutoConfiguration(
    after = OutboxAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, OutboxCounters.class})
public class OutboxMetricsAutoConfiguration {

  /** For Spring. */
  public OutboxMetricsAutoConfiguration() {}

  @Bean
  @Lazy(false) // nobody asks for it
  OutboxMeters outboxMeters(MeterRegistry registry, OutboxCounters counters) {
    return new OutboxMeters(registry, counters);
  }
}
