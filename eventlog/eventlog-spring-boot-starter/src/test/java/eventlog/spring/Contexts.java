package eventlog.spring;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Applications to test with. */
final class Contexts {
  private Contexts() {}

  /** One with the starter and nothing else. */
  static ApplicationContextRunner bare() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                EventLogAutoConfiguration.class,
                EventLogEndpointAutoConfiguration.class,
                EventLogHealthAutoConfiguration.class,
                EventLogMetricsAutoConfiguration.class,
                EventLogMissingAutoConfiguration.class))
        .withPropertyValues("spring.application.name=shop");
  }

  /** One with an API in memory, to which events go one by one, in order. */
  static ApplicationContextRunner withApi() {
    return bare()
        .withBean(Api.class)
        .withPropertyValues("eventlog.async.batch-size=1", "eventlog.async.sender-threads=1");
  }
}
