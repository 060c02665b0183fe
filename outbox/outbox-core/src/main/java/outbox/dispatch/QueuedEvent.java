package outbox.dispatch;

import outbox.EventEnvelope;

/**
 * An event on its way to the workers. Immutable.
 *
 * @param envelope the event
 * @param source which way it came
 * @param attempts how many deliveries have failed before
 */
public record QueuedEvent(EventEnvelope envelope, Source source, int attempts) {

  /** The way an event came. */
  public enum Source {
    /** From the publishing thread, right after its commit. */
    HOT,
    /** From the table, by the poller. */
    COLD
  }
}
