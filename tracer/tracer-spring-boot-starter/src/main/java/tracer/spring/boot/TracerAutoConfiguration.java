package tracer.spring.boot;

import holdfast.spring.boot.StartException;
import holdfast.spring.boot.UnknownProperties;
import holdfast.time.TimeSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.DependsOn;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import tracer.Tracer;
import tracer.TracerBuilder;
import tracer.TracerLifecycleListener;
import tracer.perfetto.PerfettoFiles;
import tracer.sink.TraceSink;

/**
 * The tracer of an application that names a directory or has a sink of its own. Every bean gives
 * way to the application's own. Stateless.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "tracer.enabled", matchIfMissing = true)
@EnableConfigurationProperties(TracerProperties.class)
public class TracerAutoConfiguration {

  /** For Spring. */
  public TracerAutoConfiguration() {}

  /** Closed by the tracer. */
  @Bean(destroyMethod = "")
  @ConditionalOnMissingBean({TraceSink.class, Tracer.class})
  @ConditionalOnProperty("tracer.directory")
  PerfettoFiles tracerFiles(TracerProperties properties, Environment environment) {
    return TracerSettings.files(properties, environment.getProperty("spring.application.name"));
  }

  @Bean
  UnknownProperties tracerUnknownProperties(Environment environment) {
    return new UnknownProperties("tracer", environment);
  }

  @Bean
  @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
  static TracerShutdown tracerShutdown() {
    return new TracerShutdown();
  }

  /**
   * Closed by {@link TracerShutdown}, later than Spring would by itself. Its name leaves {@code
   * tracer} to others: applications have tracers of Micrometer or OpenTelemetry, too.
   */
  @Bean(destroyMethod = "")
  @ConditionalOnBean(TraceSink.class)
  @ConditionalOnMissingBean
  Tracer holdfastTracer(
      TracerProperties properties,
      TraceSink sink,
      TracerShutdown shutdown,
      ObjectProvider<TracerLifecycleListener> lifecycleListeners,
      ObjectProvider<TimeSource> time,
      ObjectProvider<TracerCustomizer> customizers) {
    TracerBuilder builder = TracerSettings.builder(properties, sink);
    builder.lifecycleListener(new LifecycleListeners(lifecycleListeners.orderedStream().toList()));
    time.ifUnique(builder::time);
    Tracer tracer;
    try {
      customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
      tracer = shutdown.closes(builder.build());
    } catch (IllegalArgumentException e) { // settings that do not fit together, or customized ones
      throw new StartException(
          String.valueOf(e.getMessage()), "correct the settings of the tracer", e);
    }
    tracer.start();
    return tracer;
  }

  @Bean
  @ConditionalOnBean(Tracer.class)
  TracedScan tracedScan(ConfigurableListableBeanFactory beans) {
    return new TracedScan(beans);
  }

  @Bean
  @DependsOn("tracerShutdown")
  @ConditionalOnBean(Tracer.class)
  static TracedProxies tracedProxies(Environment environment, ObjectProvider<Tracer> tracer) {
    boolean classes =
        environment.getProperty("spring.aop.proxy-target-class", Boolean.class, Boolean.TRUE);
    return new TracedProxies(new TracedAdvice(tracer), classes);
  }
}
