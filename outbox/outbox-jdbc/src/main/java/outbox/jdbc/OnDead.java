package outbox.jdbc;

/** What a dead event does to the ordered events of its aggregate that come after it. */
public enum OnDead {
  /** They wait until it is redelivered. */
  BLOCK("0, 2, 3"),
  /** They are delivered without it; redelivered, it comes last. */
  SKIP("0, 2");

  private final String openStatuses;

  OnDead(String openStatuses) {
    this.openStatuses = openStatuses;
  }

  /** The status numbers of an event that others have to wait for. */
  String openStatuses() {
    return openStatuses;
  }
}
