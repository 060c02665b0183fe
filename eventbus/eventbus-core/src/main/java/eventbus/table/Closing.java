package eventbus.table;

/** What came of closing an event by its claim. */
public enum Closing {
  /** It moved to the log now. */
  CLOSED,

  /** The same claim had closed it like this before. */
  ALREADY_CLOSED,

  /** The claim had passed to another worker. */
  REFUSED
}
