package tracer.spring.boot;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import tracer.sink.MemorySink;

/** Applications to test with. */
final class Contexts {
  private Contexts() {}

  /** One with the starter and nothing else. */
  static ApplicationContextRunner bare() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                TracerAutoConfiguration.class,
                TracerDisabledAutoConfiguration.class,
                TracerEndpointAutoConfiguration.class,
                TracerMetricsAutoConfiguration.class,
                TracerMissingAutoConfiguration.class,
                TracerObservationAutoConfiguration.class))
        .withPropertyValues("spring.application.name=shop");
  }

  /** One with a sink in memory. */
  static ApplicationContextRunner withSink(MemorySink sink) {
    return bare().withBean(MemorySink.class, () -> sink, bean -> bean.setDestroyMethodName(""));
  }
}
