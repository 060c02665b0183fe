package failover.store;

import org.jspecify.annotations.Nullable;

/** A store could not do what was asked of it. */
public class FailoverStoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What was tried, and why it failed. */
  public FailoverStoreException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Returns the label of a log line with what a store says of its failure and the fix; empty for
   * other failures, whose message may quote an answer.
   */
  public static String reason(Throwable failure) {
    return failure.getClass() == FailoverStoreException.class
        ? " reason=" + failure.getMessage()
        : "";
  }
}
