package failover.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Has Boot show what is wrong and what to do, instead of a stack trace. Stateless. */
final class FailoverStartFailureAnalyzer extends AbstractFailureAnalyzer<FailoverStartException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, FailoverStartException cause) {
    return new FailureAnalysis(cause.description(), cause.action(), cause);
  }
}
