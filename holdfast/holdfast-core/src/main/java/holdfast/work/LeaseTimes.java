package holdfast.work;

import holdfast.problems.Problems;
import java.time.Duration;

/**
 * How long a node holds what it has claimed. Immutable.
 *
 * @param length how long a lease lasts unless renewed
 * @param renewEvery how often leases are renewed
 * @param drift how far the node's and the database's measure of time may run apart in one lease
 * @param maxQueueWait how long an event may wait in a queue before it is released
 */
public record LeaseTimes(
    Duration length, Duration renewEvery, Duration drift, Duration maxQueueWait) {

  /** Checks that a lease outlasts two renewals and the drift. */
  public LeaseTimes {
    Duration least = renewEvery.multipliedBy(2).plus(drift);
    new Problems("LeaseTimes")
        .require(isPositive(renewEvery), "renewEvery", "be more than zero", renewEvery)
        .require(!drift.isNegative(), "drift", "be zero or more", drift)
        .require(isPositive(maxQueueWait), "maxQueueWait", "be more than zero", maxQueueWait)
        .require(
            length.compareTo(least) > 0,
            "length",
            "be more than twice renewEvery plus drift, " + least,
            length)
        .throwIfAny();
  }

  /** What must be left of a lease for work to start without asking the database. */
  public Duration startMargin() {
    return renewEvery.plus(drift);
  }

  private static boolean isPositive(Duration duration) {
    return !duration.isZero() && !duration.isNegative();
  }
}
