package outbox.spi;

/**
 * Where the outbox counts what happens. Must be safe for use by many threads and should not throw:
 * then nothing is counted, and events go their way.
 */
public interface MetricsExporter {
  /** Counts nothing. */
  MetricsExporter NOOP = new Noop();

  /** An event entered the hot queue. */
  void incrementHotEnqueued();

  /** The hot queue was full; the poller will bring the event. */
  void incrementHotDropped();

  /** An event entered the cold queue. */
  void incrementColdEnqueued();

  /** All listeners of an event returned. */
  void incrementDispatchSuccess();

  /** A listener failed; the event will be tried again. */
  void incrementDispatchFailure();

  /** An event was given up. */
  void incrementDispatchDead();

  /** How many events wait in the queues now. */
  void recordQueueDepths(int hotDepth, int coldDepth);

  /** How long the oldest event found by the last successful poll has been waiting; 0 for none. */
  void recordOldestLagMs(long lagMs);

  /** An outcome came too late: another node had the event by then, which was not changed. */
  default void incrementStaleOutcomes() {}

  /** A claim expired without an outcome; the event is delivered with care from now on. */
  default void incrementLapsedClaims() {}

  /** An event was released undelivered: no room, no listener here, or the node is closing. */
  default void incrementReleased() {}

  /** An event was released because this node has no listener for its type. */
  default void incrementUnhandled() {}

  /** How long the listeners of one event took together. */
  default void recordDispatchNanos(long nanos) {}

  /** Counts nothing. */
  final class Noop implements MetricsExporter {
    private Noop() {}

    @Override
    public void incrementHotEnqueued() {}

    @Override
    public void incrementHotDropped() {}

    @Override
    public void incrementColdEnqueued() {}

    @Override
    public void incrementDispatchSuccess() {}

    @Override
    public void incrementDispatchFailure() {}

    @Override
    public void incrementDispatchDead() {}

    @Override
    public void recordQueueDepths(int hotDepth, int coldDepth) {}

    @Override
    public void recordOldestLagMs(long lagMs) {}
  }
}
