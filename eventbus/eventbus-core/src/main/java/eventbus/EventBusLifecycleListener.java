package eventbus;

import java.time.Duration;

/**
 * A listener for lifecycle events, called on the thread where they happen. Must be quick and must
 * not throw; what it throws is logged and ignored. Must be safe for use by many threads.
 */
public interface EventBusLifecycleListener {
  /** Does nothing. */
  EventBusLifecycleListener NONE = new EventBusLifecycleListener() {};

  /**
   * The event is in the log as COMPLETED.
   *
   * @param event the event
   * @param handling how long its handlers took
   */
  default void onCompleted(Event event, Duration handling) {}

  /**
   * A handler failed; the event will be tried again.
   *
   * @param event the event
   * @param delay how long it waits
   * @param error what failed
   */
  default void onRetry(Event event, Duration delay, String error) {}

  /**
   * The event is in the log as FAILED.
   *
   * @param id the event
   * @param type its type
   * @param error why
   */
  default void onFailed(long id, String type, String error) {}

  /**
   * A worker came too late: its claim had passed to another, and what it said was refused.
   *
   * @param id the event
   */
  default void onStale(long id) {}

  /**
   * An event was acquired whose last worker was lost with it.
   *
   * @param event the event
   */
  default void onLapsed(Event event) {}

  /**
   * The database did not answer; workers try again until it does.
   *
   * @param cause what it said
   */
  default void onDatabaseLost(Exception cause) {}

  /** The database answers again. */
  default void onDatabaseBack() {}
}
