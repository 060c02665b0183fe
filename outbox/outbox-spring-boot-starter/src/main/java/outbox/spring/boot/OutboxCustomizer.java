package outbox.spring.boot;

import outbox.jdbc.JdbcOutboxBuilder;

/** A bean that has the last word on the outbox's settings, after all properties. */
@FunctionalInterface
public interface OutboxCustomizer {

  /**
   * Changes settings.
   *
   * @param builder the settings as the properties made them
   */
  void customize(JdbcOutboxBuilder builder);
}
