package eventlog.spring;

import eventlog.HttpEventLogClientBuilder;

/**
 * A bean that has the last word on the client's settings, after all properties: a token that
 * changes, a proxy, TLS.
 */
@FunctionalInterface
public interface EventLogClientCustomizer {

  /**
   * Changes settings.
   *
   * @param builder the settings as the properties made them
   */
  void customize(HttpEventLogClientBuilder builder);
}
