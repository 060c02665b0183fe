package holdfast.work;

/**
 * The library's counters, log lines and callbacks. Must be safe for use by many threads; what it
 * throws is logged.
 *
 * @param <T> what the library claims
 */
public interface WorkListener<T extends WorkItem> {

  /** A worker has taken an event out of the queue. */
  default void taken() {}

  /** The handlers of an event have ended, in whatever way. */
  default void handled(T item, long nanos) {}

  /** The table has set an event aside until its turn comes. */
  default void setAside(T item) {}

  /** An outcome is in the table; the event is no longer in flight. */
  void recorded(Ended<T> ended);

  /** Called once a second or more often while the workers run: for log lines that are due. */
  default void watching() {}

  /** An outcome was refused: the event had passed to another node. */
  default void stale(T item) {}
}
