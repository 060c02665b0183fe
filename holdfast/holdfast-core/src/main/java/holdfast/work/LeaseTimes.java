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
    Problems problems = new Problems("LeaseTimes");
    check(problems, length, renewEvery, drift, maxQueueWait);
    problems.throwIfAny();
  }

  /** Adds the times that are out of range, or that do not fit each other. */
  public static void check(
      Problems problems,
      Duration length,
      Duration renewEvery,
      Duration drift,
      Duration maxQueueWait) {
    int before = problems.found().size();
    problems
        .requirePositive("renewEvery", renewEvery)
        .requireZeroOrMore("drift", drift)
        .requirePositive("maxQueueWait", maxQueueWait)
        .requirePositive("length", length);
    if (problems.found().size() == before) {
      Duration least = renewEvery.multipliedBy(2).plus(drift);
      problems.require(
          length.compareTo(least) > 0,
          "length",
          "be more than twice renewEvery plus drift, " + least,
          length);
    }
  }

  /** What must be left of a lease for work to start without asking the database. */
  public Duration startMargin() {
    return renewEvery.plus(drift);
  }
}
