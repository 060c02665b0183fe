package eventlog.spring;

import eventlog.AsyncEventLogger;
import holdfast.spring.boot.Missing;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Says so when the starter is there but makes no logger: events would be missed in silence.
 * Stateless.
 */
@AutoConfiguration(after = EventLogAutoConfiguration.class)
@ConditionalOnMissingBean(AsyncEventLogger.class)
@ConditionalOnBooleanProperty(name = "eventlog.enabled", matchIfMissing = true)
public class EventLogMissingAutoConfiguration {

  /** For Spring. */
  public EventLogMissingAutoConfiguration() {}

  static Missing missing(@Nullable Environment environment) {
    boolean enabled =
        environment == null || environment.getProperty("eventlog.enabled", Boolean.class, true);
    if (!enabled) {
      return new Missing(
          "the event log is switched off by eventlog.enabled=false", "set eventlog.enabled=true");
    }
    return new Missing(
        "the event log needs a client but there is none",
        "set eventlog.base-url, or define an EventLogClient bean, or set eventlog.enabled=false");
  }

  @Bean
  static SmartInitializingSingleton eventLogMissingWarning(Environment environment) {
    return () -> missing(environment).warn("eventlog", "no @LogEvent method will be logged");
  }
}
