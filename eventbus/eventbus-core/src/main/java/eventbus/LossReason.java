package eventbus;

import holdfast.ledger.Reason;

/** Why an event left the table without having been handled. */
public enum LossReason implements Reason {
  /** It had failed for good, and somebody purged it. */
  PURGED_FAILED("purged_failed");

  private final String code;

  LossReason(String code) {
    this.code = code;
  }

  @Override
  public String code() {
    return code;
  }
}
