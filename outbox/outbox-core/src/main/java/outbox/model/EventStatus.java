package outbox.model;

/** Where an event stands. */
public enum EventStatus {
  /** Freshly inserted, awaiting processing. */
  NEW(0),
  /** Successfully processed. */
  DONE(1),
  /** Failed, scheduled for retry. */
  RETRY(2),
  /** Given up, kept for a person to look at. */
  DEAD(3);

  private final int code;

  EventStatus(int code) {
    this.code = code;
  }

  /** The number in the table. */
  public int code() {
    return code;
  }

  /**
   * The status with that number.
   *
   * @param code a number from the table
   * @return the status
   * @throws IllegalArgumentException if no status has that number
   */
  public static EventStatus of(int code) {
    for (EventStatus status : values()) {
      if (status.code == code) {
        return status;
      }
    }
    throw new IllegalArgumentException("status must be 0 to 3 but was " + code);
  }
}
