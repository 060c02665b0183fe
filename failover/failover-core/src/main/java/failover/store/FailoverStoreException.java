package failover.store;

import org.jspecify.annotations.Nullable;

/** A store could not do what was asked of it. */
public class FailoverStoreException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private enum Concern {
    UNKNOWN,
    ANSWER,
    STORE
  }

  /** What the failure is about. */
  private final Concern concern;

  /** What was tried, and why it failed. */
  public FailoverStoreException(String message, @Nullable Throwable cause) {
    this(message, cause, Concern.UNKNOWN);
  }

  private FailoverStoreException(String message, @Nullable Throwable cause, Concern concern) {
    super(message, cause);
    this.concern = concern;
  }

  /**
   * Returns the failure of a store that takes other answers, but never this one, such as one that
   * is larger than a column. The write is dropped after some attempts.
   */
  public static FailoverStoreException refused(String message, @Nullable Throwable cause) {
    return new FailoverStoreException(message, cause, Concern.ANSWER);
  }

  /**
   * Returns the failure of a store that does nothing at present, such as a database that cannot be
   * reached. Other writes are not tried before a pause.
   */
  public static FailoverStoreException unavailable(String message, @Nullable Throwable cause) {
    return new FailoverStoreException(message, cause, Concern.STORE);
  }

  /** Returns the failure of a store in memory of which one answer would take more than all. */
  public static FailoverStoreException tooLarge(ReferentialPayload answer, long maxBytes) {
    return refused(
        "an answer takes about %d bytes but the store takes %d in all; raise its maximum, or give less"
            .formatted(answer.estimatedBytes(), maxBytes),
        null);
  }

  /** Whether the store takes other answers, but never this one. */
  public boolean isRefused() {
    return concern == Concern.ANSWER;
  }

  /** Whether the store does nothing at present. */
  public boolean isUnavailable() {
    return concern == Concern.STORE;
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
