package tracer.spring.boot;

import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import tracer.Tracer;
import tracer.micrometer.TracerMeters;

/** The tracer's meters and its ledger, where there is a registry; Boot binds them. Stateless. */
@AutoConfiguration(
    after = TracerAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass({MeterRegistry.class, TracerMeters.class})
@ConditionalOnBean({MeterRegistry.class, Tracer.class})
@ConditionalOnBooleanProperty(
    name = {"tracer.enabled", "tracer.metrics.enabled"},
    matchIfMissing = true)
public class TracerMetricsAutoConfiguration {

  /** For Spring. */
  public TracerMetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  TracerMeters tracerMeters(Tracer tracer) {
    return TracerMeters.of(tracer);
  }
}
