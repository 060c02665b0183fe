package outbox.spring.boot;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import outbox.jdbc.JdbcOutbox;

/** The Actuator endpoint {@code outbox}, where it is exposed. Stateless. */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean({JdbcOutbox.class, ListenerBeans.class})
public class OutboxEndpointAutoConfiguration {

  /** For Spring. */
  public OutboxEndpointAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnAvailableEndpoint
  OutboxEndpoint outboxEndpoint(
      JdbcOutbox outbox, ListenerBeans listeners, ObjectProvider<OutboxCounters> counters) {
    return new OutboxEndpoint(
        outbox, new OutboxReport(outbox, listeners, counters.getIfAvailable()));
  }
}
