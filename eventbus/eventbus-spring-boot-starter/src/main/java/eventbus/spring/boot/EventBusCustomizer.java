package eventbus.spring.boot;

import eventbus.EventBusBuilder;

/** A bean that has the last word on the bus's settings, after all properties. */
@FunctionalInterface
public interface EventBusCustomizer {

  /**
   * Changes settings.
   *
   * @param builder the settings as the properties made them
   */
  void customize(EventBusBuilder builder);
}
