package tracer.spring.boot;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import tracer.Tracer;

/**
 * A tracer that records nothing, where tracing is switched off, so that beans that record need no
 * change. Stateless.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "tracer.enabled", havingValue = false)
public class TracerDisabledAutoConfiguration {

  /** For Spring. */
  public TracerDisabledAutoConfiguration() {}

  @Bean(destroyMethod = "")
  @ConditionalOnMissingBean
  Tracer holdfastTracer() {
    return Tracer.noop();
  }
}
