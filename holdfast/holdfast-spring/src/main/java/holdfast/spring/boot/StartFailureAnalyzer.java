package holdfast.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Has Boot show what is wrong and what to do, instead of a stack trace. Stateless. */
public final class StartFailureAnalyzer extends AbstractFailureAnalyzer<StartException> {

  /** For Spring. */
  public StartFailureAnalyzer() {}

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, StartException cause) {
    return new FailureAnalysis(cause.description(), cause.action(), cause);
  }
}
