package failover.spring.boot;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Applications to test with. */
final class Contexts {
  private Contexts() {}

  /** One with the starter and nothing else. */
  static ApplicationContextRunner bare() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                FailoverAutoConfiguration.class,
                FailoverEndpointAutoConfiguration.class,
                FailoverHealthAutoConfiguration.class,
                FailoverMetricsAutoConfiguration.class))
        .withPropertyValues("spring.application.name=shop");
  }

  /** One with a shop. */
  static ApplicationContextRunner shop() {
    return bare().withBean(Shop.class);
  }

  /** One with a shop and a database of its own in memory. */
  static ApplicationContextRunner jdbc() {
    return withDatabase(shop());
  }

  /** The same with a database of its own in memory. */
  static ApplicationContextRunner withDatabase(ApplicationContextRunner runner) {
    return runner
        .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
        .withPropertyValues(
            "spring.datasource.generate-unique-name=true", "failover.store.type=jdbc");
  }

  /** One with a shop and meters. */
  static ApplicationContextRunner meters() {
    return shop()
        .withConfiguration(
            AutoConfigurations.of(
                MetricsAutoConfiguration.class,
                SimpleMetricsExportAutoConfiguration.class,
                CompositeMeterRegistryAutoConfiguration.class));
  }

  /** What is behind the advice. */
  static Shop target(ApplicationContext context) {
    return (Shop) AopProxyUtils.getSingletonTarget(context.getBean(Shop.class));
  }
}
