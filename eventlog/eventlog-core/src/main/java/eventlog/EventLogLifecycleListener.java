package eventlog;

/**
 * Is called at lifecycle events, on the thread where they happen; must return quickly. What it
 * throws is logged and otherwise ignored, and events that it logs are not accepted. Must be safe
 * for use by many threads.
 */
public interface EventLogLifecycleListener {
  /** Does nothing. */
  EventLogLifecycleListener NONE = new EventLogLifecycleListener() {};

  /** Events are written to disk; before, every event on disk had been sent. */
  default void onSpillBegan() {}

  /** Every event on disk has been sent, those of dead processes included. */
  default void onSpillEnded() {}

  /**
   * Every event of a directory has been sent: that of this process, or that of a dead one.
   *
   * @param events how many events of all directories were sent since the last call
   */
  default void onReplayFinished(long events) {}

  /**
   * The circuit breaker is open: requests fail and events wait, in memory or on disk.
   *
   * @param problem what the API or the client said last
   */
  default void onCircuitOpened(String problem) {}

  /** The circuit breaker is closed: the API answers again. */
  default void onCircuitClosed() {}

  /**
   * The disk cannot be written; events wait in memory and are lost when that is full.
   *
   * @param cause what the disk said
   */
  default void onDiskFailing(Exception cause) {}

  /** The disk can be written again. */
  default void onDiskWorking() {}
}
