package failover.spring.boot;

import failover.Failovers;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of failover. Stateless. */
@AutoConfiguration(after = FailoverAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(Failovers.class)
public class FailoverHealthAutoConfiguration {

  /** For Spring. */
  public FailoverHealthAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(name = "failoverHealthIndicator")
  @ConditionalOnEnabledHealthIndicator("failover") // on the class it would ask for Actuator itself
  FailoverHealthIndicator failoverHealthIndicator(Failovers failovers) {
    return new FailoverHealthIndicator(failovers);
  }
}
