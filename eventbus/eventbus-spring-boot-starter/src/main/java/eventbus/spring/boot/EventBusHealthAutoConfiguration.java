package eventbus.spring.boot;

import eventbus.EventBus;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the event bus, on nodes that work. Stateless. */
@AutoConfiguration(after = EventBusAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({EventBus.class, BacklogReading.class, EventBusProperties.class})
@ConditionalOnBooleanProperty(
    name = "eventbus.publish-only",
    havingValue = false,
    matchIfMissing = true)
public class EventBusHealthAutoConfiguration {

  /** For Spring. */
  public EventBusHealthAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(name = "eventbusHealthIndicator")
  @ConditionalOnEnabledHealthIndicator("eventbus") // on the class it would ask for Actuator itself
  EventBusHealthIndicator eventbusHealthIndicator(
      EventBus bus, BacklogReading reading, EventBusProperties properties) {
    return new EventBusHealthIndicator(bus, reading, properties.health().maxLag());
  }
}
