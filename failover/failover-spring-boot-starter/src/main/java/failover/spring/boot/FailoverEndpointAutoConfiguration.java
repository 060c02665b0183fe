package failover.spring.boot;

import failover.Failovers;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The Actuator endpoint {@code failover}, where it is exposed. Stateless. */
@AutoConfiguration(after = FailoverAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(Failovers.class)
public class FailoverEndpointAutoConfiguration {

  /** For Spring. */
  public FailoverEndpointAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnAvailableEndpoint
  FailoverEndpoint failoverEndpoint(Failovers failovers) {
    return new FailoverEndpoint(failovers);
  }
}
