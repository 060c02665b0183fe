package eventbus.spring.boot;

import eventbus.EventBus;
import holdfast.spring.boot.MissingBeanAnalyzer;
import org.springframework.beans.factory.BeanFactory;

/** Says why there is no event bus when something wants one. Stateless. */
final class MissingEventBusFailureAnalyzer extends MissingBeanAnalyzer {

  MissingEventBusFailureAnalyzer(BeanFactory beans) {
    super(() -> EventBusMissingAutoConfiguration.missing(beans), EventBus.class);
  }
}
