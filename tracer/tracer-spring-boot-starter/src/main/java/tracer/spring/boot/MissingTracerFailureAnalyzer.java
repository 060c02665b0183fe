package tracer.spring.boot;

import holdfast.spring.boot.MissingBeanAnalyzer;
import tracer.Tracer;

/** Says why there is no tracer when something wants one. Stateless. */
final class MissingTracerFailureAnalyzer extends MissingBeanAnalyzer {

  MissingTracerFailureAnalyzer() {
    super(TracerMissingAutoConfiguration::missing, Tracer.class);
  }
}
