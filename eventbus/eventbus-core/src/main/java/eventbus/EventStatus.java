package eventbus;

/** Where an event stands. The first two are of rows to be worked on, the others of the log. */
public enum EventStatus {
  /** Waits for a worker, or for its time to come. */
  PENDING,

  /** A worker has it. */
  PROCESSING,

  /** Closed: every handler returned. */
  COMPLETED,

  /** Closed: given up, kept in the log with its error. */
  FAILED
}
