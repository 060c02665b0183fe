package eventbus.spring.boot;

import eventbus.EventBus;
import holdfast.spring.boot.Missing;
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

  /** For Spring. */
  public EventBusMissingAutoConfiguration() {}

  static Missing missing(BeanFactory beans) {
    return Missing.onDataSource(beans, "event bus", "eventbus", EventBusAutoConfiguration.class);
  }

  @Bean
  static SmartInitializingSingleton eventBusMissingWarning(BeanFactory beans) {
    return () -> missing(beans).warn("eventbus", "no @EventBusHandler will be called");
  }
}
