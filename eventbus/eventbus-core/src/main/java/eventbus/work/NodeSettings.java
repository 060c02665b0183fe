package eventbus.work;

import eventbus.EventStatus;
import eventbus.RetryPolicy;
import holdfast.problems.Problems;
import holdfast.work.HandlerTimeouts;
import holdfast.work.LeaseTimes;
import holdfast.work.Retries;
import holdfast.work.WorkSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The numbers and times of a node, all within their ranges. Immutable.
 *
 * @param name the node's name, unique among all nodes
 * @param workers how many events are handled at the same time
 * @param concurrency the same for single types, where it is less
 * @param batchSize how many events are claimed at a time, at most
 * @param maxInFlightBytes how many bytes the events in flight may have in all
 * @param timeouts how long handlers may run
 * @param abandonmentTimeout how long an event belongs to its worker without a sign of life
 * @param heartbeat how often workers give signs of life; null for a fifth of that
 * @param maxQueueWait how long an event may wait for a worker of its node
 * @param pollInterval how long to wait at most before looking for events again
 * @param retryFor how long after its first failure an event is closed as FAILED
 * @param retryPolicy what becomes of an event whose handler failed
 * @param retryPolicies the same for single types
 * @param maxLapses how many lost workers close an event as FAILED
 * @param maxPayloadBytes how large a payload may be
 * @param keep how long lines of a status stay in the log; for ever if it has no entry
 * @param closeTimeout the time for closing
 */
public record NodeSettings(
    String name,
    int workers,
    Map<String, Integer> concurrency,
    int batchSize,
    long maxInFlightBytes,
    HandlerTimeouts timeouts,
    Duration abandonmentTimeout,
    @Nullable Duration heartbeat,
    Duration maxQueueWait,
    Duration pollInterval,
    Duration retryFor,
    RetryPolicy retryPolicy,
    Map<String, RetryPolicy> retryPolicies,
    int maxLapses,
    int maxPayloadBytes,
    Map<EventStatus, Duration> keep,
    Duration closeTimeout) {
  private static final int MAX_NAME = 128;
  private static final int HEARTBEATS_PER_TIMEOUT = 5;
  private static final Duration MOST_DRIFT = Duration.ofSeconds(1);
  private static final String AT_LEAST_1 = "be 1 or more";

  /**
   * Copies the maps.
   *
   * @throws IllegalArgumentException if a setting is out of range, naming all of them
   */
  public NodeSettings {
    Problems problems =
        new Problems("EventBus")
            .require(
                !name.isBlank() && name.length() <= MAX_NAME,
                "name",
                "have 1 to " + MAX_NAME + " characters",
                name)
            .requireCount("workers", WorkSettings.MAX_WORKERS, workers)
            .requireCount("batchSize", WorkSettings.MAX_BATCH, batchSize)
            .require(maxInFlightBytes >= 1, "maxInFlightBytes", AT_LEAST_1, maxInFlightBytes)
            .requirePositive("retryFor", retryFor)
            .require(maxLapses >= 1, "maxLapses", AT_LEAST_1, maxLapses)
            .require(maxPayloadBytes >= 1, "maxPayloadBytes", AT_LEAST_1, maxPayloadBytes)
            .requirePositive("pollInterval", pollInterval)
            .requireZeroOrMore("closeTimeout", closeTimeout);
    WorkSettings.checkConcurrency(concurrency, problems);
    keep.forEach((status, time) -> problems.requireZeroOrMore("retention of " + status, time));
    timeouts.check(problems, "handlerTimeout");
    checkClaims(problems, abandonmentTimeout, heartbeat, maxQueueWait);
    problems.throwIfAny();
    concurrency = Map.copyOf(concurrency);
    retryPolicies = Map.copyOf(retryPolicies);
    keep = Map.copyOf(keep);
  }

  /** Returns how long claims last and how they are kept, in the words of the engine. */
  LeaseTimes lease() {
    return new LeaseTimes(
        abandonmentTimeout,
        beat(abandonmentTimeout, heartbeat),
        drift(abandonmentTimeout),
        maxQueueWait);
  }

  Set<String> typesWithSettings() {
    return WorkSettings.types(List.of(concurrency, timeouts.byType(), retryPolicies));
  }

  Retries retries() {
    return new Retries(
        (item, failures, failure) ->
            retryPolicies.getOrDefault(item.type(), retryPolicy).delay(failures, failure),
        retryFor);
  }

  /** A claim must outlast two heartbeats, and what clocks may run apart meanwhile. */
  private static void checkClaims(
      Problems problems, Duration timeout, @Nullable Duration heartbeat, Duration maxQueueWait) {
    int found = problems.found().size();
    problems
        .requirePositive("heartbeat", heartbeat)
        .requirePositive("maxQueueWait", maxQueueWait)
        .requirePositive("abandonmentTimeout", timeout);
    if (problems.found().size() == found) {
      Duration least = beat(timeout, heartbeat).multipliedBy(2).plus(drift(timeout));
      problems.require(
          timeout.compareTo(least) > 0,
          "abandonmentTimeout",
          "be more than twice the heartbeat plus the drift of clocks, " + least + ",",
          timeout);
    }
  }

  private static Duration beat(Duration timeout, @Nullable Duration heartbeat) {
    return heartbeat == null ? timeout.dividedBy(HEARTBEATS_PER_TIMEOUT) : heartbeat;
  }

  private static Duration drift(Duration timeout) {
    Duration tenth = timeout.dividedBy(10);
    return tenth.compareTo(MOST_DRIFT) < 0 ? tenth : MOST_DRIFT;
  }
}
