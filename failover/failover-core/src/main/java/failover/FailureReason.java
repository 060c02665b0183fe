package failover;

import holdfast.ledger.Reason;

/** Why a call got neither a live nor a stored answer. */
public enum FailureReason implements Reason {
  /** No answer was stored under the key, or the last one was null. */
  NOTHING_STORED("nothing_stored"),
  /** The stored answer was too old. */
  EXPIRED("expired"),
  /** What is stored cannot be read as the point's type: another version, or broken. */
  UNREADABLE("unreadable"),
  /** The store failed. */
  STORE_FAILED("store_failed"),
  /** The point is told not to recover such failures. */
  NOT_RECOVERABLE("not_recoverable"),
  /** An argument allows no key. */
  UNKEYABLE("unkeyable"),
  /** An {@link Error}, which is nobody's to hide. */
  ERROR("error");

  private final String code;

  FailureReason(String code) {
    this.code = code;
  }

  @Override
  public String code() {
    return code;
  }
}
