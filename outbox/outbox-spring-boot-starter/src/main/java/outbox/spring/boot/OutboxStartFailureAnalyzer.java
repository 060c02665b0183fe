package outbox.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Has Boot show what is wrong and what to do, instead of a stack trace. Stateless. */
final class OutboxStartFailureAnalyzer extends AbstractFailureAnalyzer<OutboxStartException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, OutboxStartException cause) {
    return new FailureAnalysis(cause.description(), cause.action(), cause);
  }
}
