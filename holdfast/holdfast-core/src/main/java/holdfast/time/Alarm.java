package holdfast.time;

import java.time.Duration;

/**
 * A sleep that can be cut short.
 *
 * <p>A ring is remembered until somebody waits, and any number of rings before that count as one:
 * whoever looks for work after each return misses none. Safe for use by many threads.
 */
public interface Alarm {

  /**
   * Waits until the alarm rings or the time has passed, whichever is first; uses up the ring.
   *
   * @param timeout how long to wait at most; zero or less only looks whether it has rung
   * @return whether the alarm rang
   * @throws InterruptedException if the waiting thread is interrupted
   */
  boolean await(Duration timeout) throws InterruptedException;

  /** Ends the current wait, or the next one if nobody waits now. */
  void ring();
}
