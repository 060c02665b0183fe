package failover.spring;

import java.util.List;

/** Annotations do not fit; says all that is wrong with all of them. */
public final class FailoverScannerException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final String[] problems;

  /** What was found. */
  public FailoverScannerException(List<String> problems) {
    super(String.join("; ", problems));
    this.problems = problems.toArray(String[]::new);
  }

  /** What is wrong, each with its remedy. */
  public List<String> problems() {
    return List.of(problems);
  }
}
