package outbox.spring.boot;

import io.micrometer.tracing.Tracer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import outbox.spi.TraceContext;

/** The trace of whoever publishes, where there is a tracer. Stateless. */
@AutoConfiguration(
    afterName = {
      "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration"
    })
@ConditionalOnClass(Tracer.class)
@ConditionalOnBean(Tracer.class)
public class OutboxTracingAutoConfiguration {

  /** For Spring. */
  public OutboxTracingAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(TraceContext.class)
  MicrometerTraceContext outboxTraceContext(Tracer tracer) {
    return new MicrometerTraceContext(tracer);
  }
}
