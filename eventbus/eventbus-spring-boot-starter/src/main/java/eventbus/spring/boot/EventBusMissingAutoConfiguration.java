package eventbus.spring.boot;

import static java.lang.System.Logger.Level.WARNING;

import eventbus.EventBus;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Says so when the starter is there but makes no bus: handlers would wait for ever in silence.
 * Stateless.
 */
@AutoConfiguration(after = EventBusAutoConfiguration.class)
@ConditionalOnMissingBean(EventBus.class)
@ConditionalOnBooleanProperty(name = "eventbus.enabled", matchIfMissing = true)
public class EventBusMissingAutoConfiguration {
  private static final System.Logger LOG = System.getLogger("eventbus");

  /** For Spring. */
  public EventBusMissingAutoConfiguration() {}

  @Bean
  static SmartInitializingSingleton eventBusMissingWarning(BeanFactory beans) {
    return () -> {
      MissingEventBus missing = MissingEventBus.in(beans);
      LOG.log(
          WARNING,
          "eventbus is not there, no @EventHandler will be called: {0}; {1}",
          missing.reason(),
          missing.action());
    };
  }
}
