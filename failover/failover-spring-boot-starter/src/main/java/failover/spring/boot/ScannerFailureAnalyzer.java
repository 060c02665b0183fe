package failover.spring.boot;

import failover.spring.FailoverScannerException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Has Boot show all annotations that do not fit, one to a line. Stateless. */
final class ScannerFailureAnalyzer extends AbstractFailureAnalyzer<FailoverScannerException> {

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, FailoverScannerException cause) {
    return new FailureAnalysis(
        "@Failover does not fit:\n    - " + String.join("\n    - ", cause.problems()),
        "correct the annotations, or define the beans that they name",
        cause);
  }
}
