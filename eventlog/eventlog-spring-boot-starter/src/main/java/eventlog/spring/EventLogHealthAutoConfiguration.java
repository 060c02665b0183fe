package eventlog.spring;

import eventlog.AsyncEventLogger;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The event log's health. Stateless. */
@AutoConfiguration(after = EventLogAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({AsyncEventLogger.class, EventLogProperties.class})
public class EventLogHealthAutoConfiguration {

  /** For Spring. */
  public EventLogHealthAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(name = "eventlogHealthIndicator")
  @ConditionalOnEnabledHealthIndicator("eventlog") // on the class it would ask for Actuator itself
  EventLogHealthIndicator eventlogHealthIndicator(
      AsyncEventLogger logger, EventLogProperties properties) {
    return new EventLogHealthIndicator(logger, properties.getHealth().getNearlyFullPercent());
  }
}
