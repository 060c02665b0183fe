package outbox.spring.boot;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import outbox.jdbc.JdbcOutbox;
import outbox.jdbc.OutboxBacklog;

/** The outbox's health, on nodes that deliver. Stateless. */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean({JdbcOutbox.class, OutboxBacklog.class, OutboxProperties.class})
@ConditionalOnBooleanProperty(
    name = "outbox.publish-only",
    havingValue = false,
    matchIfMissing = true)
public class OutboxHealthAutoConfiguration {

  /** For Spring. */
  public OutboxHealthAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(name = "outboxHealthIndicator")
  @ConditionalOnEnabledHealthIndicator("outbox") // on the class it would ask for Actuator itself
  OutboxHealthIndicator outboxHealthIndicator(
      OutboxBacklog backlog, JdbcOutbox outbox, OutboxProperties properties) {
    return new OutboxHealthIndicator(
        backlog, outbox.dispatcher(), outbox.control(), properties.health().maxBacklogAge());
  }
}
