package eventlog.spring;

import static java.lang.System.Logger.Level.WARNING;

import eventlog.AsyncEventLogger;
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
  private static final System.Logger LOG = System.getLogger("eventlog");

  /** For Spring. */
  public EventLogMissingAutoConfiguration() {}

  @Bean
  static SmartInitializingSingleton eventLogMissingWarning(Environment environment) {
    return () -> {
      MissingEventLog missing = MissingEventLog.in(environment);
      LOG.log(
          WARNING,
          "eventlog is not there, no @LogEvent method will be logged: {0}; {1}",
          missing.reason(),
          missing.action());
    };
  }
}
