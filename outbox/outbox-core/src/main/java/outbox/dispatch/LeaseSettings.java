package outbox.dispatch;

import holdfast.problems.Problems;
import holdfast.work.LeaseTimes;
import java.time.Duration;

/**
 * How a node holds events. Immutable.
 *
 * @param node the node's name, unique among all nodes, 1 to 128 characters
 * @param length how long a lease lasts unless renewed
 * @param renewEvery how often leases are renewed
 * @param drift how far the node's and the database's measure of time may run apart in one lease
 * @param maxQueueWait how long an event may wait in a queue; it is released with the next renewal
 */
public record LeaseSettings(
    String node, Duration length, Duration renewEvery, Duration drift, Duration maxQueueWait) {

  /** How long a lease lasts unless configured. */
  public static final Duration DEFAULT_LENGTH = Duration.ofSeconds(15);

  /** How often leases are renewed unless configured. */
  public static final Duration DEFAULT_RENEW_EVERY = Duration.ofSeconds(5);

  /** How far clocks may run apart in one lease unless configured. */
  public static final Duration DEFAULT_DRIFT = Duration.ofSeconds(1);

  /** How long an event may wait in a queue unless configured. */
  public static final Duration DEFAULT_MAX_QUEUE_WAIT = Duration.ofMinutes(1);

  private static final int MAX_NODE = 128;
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  /** Checks that a lease outlasts two renewals and the drift. */
  public LeaseSettings {
    Problems problems =
        new Problems("LeaseSettings")
            .require(
                !node.isBlank() && node.length() <= MAX_NODE,
                "node",
                "have 1 to 128 characters",
                node);
    LeaseTimes.check(problems, length, renewEvery, drift, maxQueueWait);
    problems.throwIfAny();
  }

  /**
   * The usual settings for a node.
   *
   * @param node the node's name
   * @return the settings
   */
  public static LeaseSettings of(String node) {
    return new LeaseSettings(
        node, DEFAULT_LENGTH, DEFAULT_RENEW_EVERY, DEFAULT_DRIFT, DEFAULT_MAX_QUEUE_WAIT);
  }

  /** The times of leases; without leases nobody else would take what waits in the queue. */
  LeaseTimes times(boolean leases) {
    return new LeaseTimes(length, renewEvery, drift, leases ? maxQueueWait : FOR_EVER);
  }
}
