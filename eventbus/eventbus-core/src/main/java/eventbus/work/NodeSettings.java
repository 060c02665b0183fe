package eventbus.work;

import eventbus.RetryPolicy;
import holdfast.work.HandlerTimeouts;
import holdfast.work.LeaseTimes;
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
 * @param retryPolicy what becomes of an event whose handler failed
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
    RetryPolicy retryPolicy,
    int maxLapses,
    Duration pollInterval) {

  /** Copies the map. */
  public NodeSettings {
    concurrency = Map.copyOf(concurrency);
  }

  boolean isLimited(String type) {
    return concurrency.containsKey(type);
  }
}
