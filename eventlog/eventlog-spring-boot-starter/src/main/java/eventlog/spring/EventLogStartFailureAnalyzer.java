package eventlog.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Has Boot show what is wrong and what to do, instead of a stack trace. Stateless. */
final class EventLogStartFailureAnalyzer extends AbstractFailureAnalyzer<EventLogStartException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, EventLogStartException cause) {
    return new FailureAnalysis(cause.description(), cause.action(), cause);
  }
}
