package failover.store;

/** What becomes of a write when too many others wait. */
public enum WhenFull {
  /** It is dropped and counted. */
  DISCARD,
  /** The caller writes it, and waits for that. */
  CALLER_RUNS,
  /** It is dropped and counted, and whoever hands it over gets an exception. */
  ABORT
}
