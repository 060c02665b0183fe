package outbox.spring.boot;

import holdfast.spring.boot.Missing;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import outbox.jdbc.JdbcOutbox;

/**
 * Says so when the starter is there but makes no outbox: listeners would wait for ever in silence.
 * Stateless.
 */
@AutoConfiguration(after = OutboxAutoConfiguration.class)
@ConditionalOnMissingBean(JdbcOutbox.class)
@ConditionalOnBooleanProperty(name = "outbox.enabled", matchIfMissing = true)
public class OutboxMissingAutoConfiguration {

  /** For Spring. */
  public OutboxMissingAutoConfiguration() {}

  static Missing missing(BeanFactory beans) {
    return Missing.onDataSource(beans, "outbox", "outbox", OutboxAutoConfiguration.class);
  }

  @Bean
  static SmartInitializingSingleton outboxMissingWarning(BeanFactory beans) {
    return () -> missing(beans).warn("outbox", "no @OutboxListener will be called");
  }
}
