package outbox.spring.boot;

import static java.lang.System.Logger.Level.WARNING;

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
  private static final System.Logger LOG = System.getLogger("outbox");

  /** For Spring. */
  public OutboxMissingAutoConfiguration() {}

  @Bean
  static SmartInitializingSingleton outboxMissingWarning(BeanFactory beans) {
    return () -> {
      MissingOutbox missing = MissingOutbox.in(beans);
      LOG.log(
          WARNING,
          "outbox is not there, no @OutboxListener will be called: {0}; {1}",
          missing.reason(),
          missing.action());
    };
  }
}
