package tracer.spring.boot;

import tracer.TracerBuilder;

/** Overrides settings of the tracer, after all properties; define it as a bean. */
@FunctionalInterface
public interface TracerCustomizer {

  /**
   * Changes settings.
   *
   * @param builder the settings as the properties made them
   */
  void customize(TracerBuilder builder);
}
