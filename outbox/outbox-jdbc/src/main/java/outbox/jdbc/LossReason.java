package outbox.jdbc;

import holdfast.ledger.Reason;

/** Why an event left the table without having been delivered. */
public enum LossReason implements Reason {
  /** It was dead, and somebody purged it. */
  PURGED_DEAD("purged_dead");

  private final String code;

  LossReason(String code) {
    this.code = code;
  }

  @Override
  public String code() {
    return code;
  }
}
