package tracer.spring.boot;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import tracer.Tracer;

/** The Actuator endpoint {@code tracer}, where it is exposed. Stateless. */
@AutoConfiguration(after = TracerAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(Tracer.class)
@ConditionalOnBooleanProperty(name = "tracer.enabled", matchIfMissing = true)
public class TracerEndpointAutoConfiguration {

  /** For Spring. */
  public TracerEndpointAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnAvailableEndpoint
  TracerEndpoint tracerEndpoint(Tracer tracer) {
    return new TracerEndpoint(tracer);
  }
}
