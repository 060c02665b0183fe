package eventbus.spring.boot;

import eventbus.EventBus;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The Actuator endpoint {@code eventbus}, where it is exposed. Stateless. */
@AutoConfiguration(after = EventBusAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(EventBus.class)
public class EventBusEndpointAutoConfiguration {

  /** For Spring. */
  public EventBusEndpointAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnAvailableEndpoint
  EventBusEndpoint eventBusEndpoint(EventBus bus) {
    return new EventBusEndpoint(bus, new EventBusReport(bus));
  }
}
