package eventlog.testkit;

/** What the server does instead of its work. */
public enum Fault {
  /** Nothing: it works. */
  NONE,
  /** Ends the connection without an answer. */
  DOWN,
  /** Works, after a pause. */
  SLOW,
  /** Answers 500. */
  ERROR,
  /** Answers 429 with {@code Retry-After}. */
  TOO_MANY,
  /** Stores every event but each second one of a batch, and says so. */
  PARTIAL,
  /** Stores everything, and answers 200 with a body that is no JSON. */
  GARBAGE,
  /** Answers 401. */
  UNAUTHORIZED,
  /** Answers 400. */
  REJECT
}
