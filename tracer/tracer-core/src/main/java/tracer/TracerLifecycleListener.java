package tracer;

/**
 * Is told of turning points: of pressure on a thread of its own, of the sink on the one that
 * drains, and of {@linkplain #criticalLost lost critical events} on the one that recorded them or
 * closes. What it throws is logged and otherwise ignored; while it hangs, that thread does nothing
 * else.
 */
public interface TracerLifecycleListener {

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
