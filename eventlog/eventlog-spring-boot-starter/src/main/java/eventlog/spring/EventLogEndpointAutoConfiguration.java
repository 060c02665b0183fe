package eventlog.spring;

import eventlog.AsyncEventLogger;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The Actuator endpoint {@code eventlog}, where it is exposed. Stateless. */
@AutoConfiguration(after = EventLogAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(AsyncEventLogger.class)
public class EventLogEndpointAutoConfiguration {

  /** For Spring. */
  public EventLogEndpointAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnAvailableEndpoint
  EventLogEndpoint eventLogEndpoint(AsyncEventLogger logger) {
    return new EventLogEndpoint(logger);
  }
}
