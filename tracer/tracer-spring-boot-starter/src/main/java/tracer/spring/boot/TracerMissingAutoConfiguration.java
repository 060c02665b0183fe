package tracer.spring.boot;

import holdfast.spring.boot.Missing;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import tracer.Tracer;

/** Says so when the starter is there but makes no tracer. Stateless. */
@AutoConfiguration(after = TracerAutoConfiguration.class)
@ConditionalOnMissingBean(Tracer.class)
@ConditionalOnBooleanProperty(name = "tracer.enabled", matchIfMissing = true)
public class TracerMissingAutoConfiguration {

  /** For Spring. */
  public TracerMissingAutoConfiguration() {}

  static Missing missing() {
    return new Missing(
        "the tracer needs a directory for its files but there is none",
        "set tracer.directory, or define a TraceSink bean, or set tracer.enabled=false");
  }

  @Bean
  static SmartInitializingSingleton tracerMissingWarning() {
    return () -> missing().warn("tracer", "nothing will be traced");
  }
}
