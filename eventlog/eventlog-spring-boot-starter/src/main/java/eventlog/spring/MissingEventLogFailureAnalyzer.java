package eventlog.spring;

import eventlog.AsyncEventLogger;
import holdfast.spring.boot.MissingBeanAnalyzer;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** Says why there is no event log when something wants one. Stateless. */
final class MissingEventLogFailureAnalyzer extends MissingBeanAnalyzer {

  MissingEventLogFailureAnalyzer(@Nullable Environment environment) {
    super(
        () -> EventLogMissingAutoConfiguration.missing(environment),
        AsyncEventLogger.class,
        EventLogContext.class);
  }
}
