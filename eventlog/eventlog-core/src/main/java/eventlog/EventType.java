package eventlog;

/** What kind of thing happened. */
public enum EventType {
  /** A process began. */
  PROCESS_START,
  /** A step of a process was done. */
  STEP,
  /** A process ended. */
  PROCESS_END,
  /** Something went wrong. */
  ERROR
}
