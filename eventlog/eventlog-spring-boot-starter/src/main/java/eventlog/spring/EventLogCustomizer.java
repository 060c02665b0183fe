package eventlog.spring;

import eventlog.AsyncEventLoggerBuilder;

/** A bean that has the last word on the logger's settings, after all properties. */
@FunctionalInterface
public interface EventLogCustomizer {

  /**
   * Changes settings.
   *
   * @param builder the settings as the properties made them
   */
  void customize(AsyncEventLoggerBuilder builder);
}
