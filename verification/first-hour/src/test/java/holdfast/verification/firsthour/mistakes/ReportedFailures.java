package holdfast.verification.firsthour.mistakes;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalysisReporter;

/** Keeps what Spring Boot shows when an application does not start, for the thread it starts on. */
public final class ReportedFailures implements FailureAnalysisReporter {
  private static final ThreadLocal<FailureAnalysis> LAST = new ThreadLocal<>();

  /** Called by Spring Boot. */
  public ReportedFailures() {}

  @Override
  public void report(FailureAnalysis analysis) {
    LAST.set(analysis);
  }

  /** Returns what was shown since the last call. */
  static FailureAnalysis take() {
    FailureAnalysis last = LAST.get();
    LAST.remove();
    return last;
  }
}
