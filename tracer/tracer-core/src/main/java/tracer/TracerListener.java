package tracer;

/**
 * Is told of turning points, on threads of the tracer; but {@link #criticalLost} on the thread that
 * recorded. What it throws is logged and otherwise ignored.
 */
public interface TracerListener {

  /**
   * A lane has reached its high watermark.
   *
   * @param lane the lane
   */
  default void pressureRaised(Lane lane) {}

  /**
   * A lane under pressure has fallen to its low watermark.
   *
   * @param lane the lane
   */
  default void pressureCleared(Lane lane) {}

  /**
   * The sink has failed; it is tried again.
   *
   * @param cause what it threw
   */
  default void sinkFailed(Exception cause) {}

  /** The sink that had failed works again. */
  default void sinkRecovered() {}

  /**
   * A critical event is gone: no ring of any lane could take it, nor the emergency file.
   *
   * @param event which kind of event
   * @param reason why there was no ring
   */
  default void criticalLost(TraceEvent event, DropReason reason) {}
}
