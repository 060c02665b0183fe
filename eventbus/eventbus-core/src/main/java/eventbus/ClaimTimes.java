package eventbus;

import holdfast.problems.Problems;
import holdfast.work.LeaseTimes;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long claims last and how they are kept, in the words of {@link EventBusBuilder}. Immutable.
 *
 * @param abandonmentTimeout how long an event belongs to its worker without a sign of life
 * @param heartbeat how often workers give signs of life; null for a fifth of that
 * @param maxQueueWait how long an event may wait for a worker of its node
 */
record ClaimTimes(
    Duration abandonmentTimeout, @Nullable Duration heartbeat, Duration maxQueueWait) {
  private static final int HEARTBEATS_PER_TIMEOUT = 5;
  private static final Duration MOST_DRIFT = Duration.ofSeconds(1);
  private static final String MORE_THAN_0 = "be more than zero";

  /** Adds what is out of range. */
  void check(Problems problems) {
    Duration least = beat().multipliedBy(2).plus(drift());
    problems
        .require(heartbeat == null || isPositive(heartbeat), "heartbeat", MORE_THAN_0, heartbeat)
        .require(isPositive(maxQueueWait), "maxQueueWait", MORE_THAN_0, maxQueueWait)
        .require(
            abandonmentTimeout.compareTo(least) > 0,
            "abandonmentTimeout",
            "be more than twice the heartbeat plus the drift of clocks, " + least + ",",
            abandonmentTimeout);
  }

  /** Returns the same in the words of the engine. */
  LeaseTimes lease() {
    return new LeaseTimes(abandonmentTimeout, beat(), drift(), maxQueueWait);
  }

  private Duration beat() {
    return heartbeat == null ? abandonmentTimeout.dividedBy(HEARTBEATS_PER_TIMEOUT) : heartbeat;
  }

  private Duration drift() {
    Duration tenth = abandonmentTimeout.dividedBy(10);
    return tenth.compareTo(MOST_DRIFT) < 0 ? tenth : MOST_DRIFT;
  }

  static boolean isPositive(Duration duration) {
    return !duration.isZero() && !duration.isNegative();
  }
}
