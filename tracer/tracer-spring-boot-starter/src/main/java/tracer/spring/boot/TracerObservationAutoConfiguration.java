package tracer.spring.boot;

import io.micrometer.observation.ObservationHandler;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import tracer.Tracer;
import tracer.spring.ObservationSpans;

/** Spans of observations; Boot registers the handler with its registry. Stateless. */
@AutoConfiguration(after = TracerAutoConfiguration.class)
@ConditionalOnClass(ObservationHandler.class)
@ConditionalOnBean(Tracer.class)
@ConditionalOnBooleanProperty(name = "tracer.enabled", matchIfMissing = true)
public class TracerObservationAutoConfiguration {

  /** For Spring. */
  public TracerObservationAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBooleanProperty(name = "tracer.observations.enabled", matchIfMissing = true)
  ObservationSpans observationSpans(Tracer tracer, TracerProperties properties) {
    return new ObservationSpans(tracer, properties.observations().maxNames());
  }
}
