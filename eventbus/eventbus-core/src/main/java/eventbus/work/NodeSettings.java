package eventbus.work;

import eventbus.RetryPolicy;
import holdfast.work.HandlerTimeouts;
import holdfast.work.LeaseTimes;
import holdfast.work.Retries;
import java.time.Duration;
import java.util.Map;

/**
 * How a node works. Immutable.
 *
 * @param worker the node's name, unique among all nodes
 * @param workers how many events are handled at the same time
 * @param concurrency the same for single types, where it is less
 * @param batchSize how many events are claimed at a time, at most
 * @param maxInFlightBytes how many bytes the events in flight may have in all
 * @param timeouts how long handlers may run
 * @param lease how long claims last and how they are kept
 * @param retryFor how long after its first failure an event is closed as FAILED
 * @param retryPolicy what becomes of an event whose handler failed
 * @param retryPolicies the same for single types
 * @param maxLapses how many lost workers close an event as FAILED
 * @param pollInterval how long to wait at most before looking for events again
 */
public record NodeSettings(
    String worker,
    int workers,
    Map<String, Integer> concurrency,
    int batchSize,
    long maxInFlightBytes,
    HandlerTimeouts timeouts,
    LeaseTimes lease,
    Duration retryFor,
    RetryPolicy retryPolicy,
    Map<String, RetryPolicy> retryPolicies,
    int maxLapses,
    Duration pollInterval) {

  /** Copies the maps. */
  public NodeSettings {
    concurrency = Map.copyOf(concurrency);
    retryPolicies = Map.copyOf(retryPolicies);
  }

  Retries retries() {
    return new Retries(
        (item, failures, failure) ->
            retryPolicies.getOrDefault(item.type(), retryPolicy).delay(failures, failure),
        retryFor);
  }
}
