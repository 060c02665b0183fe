package holdfast.work;

import holdfast.problems.Problems;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * How an engine works. Immutable.
 *
 * @param library the library's name: that of its logger, and the first word of its threads' names
 * @param handlerName what the library calls a handler, for messages
 * @param workers how many events are handled at the same time
 * @param committedCapacity how many events may wait that were just committed here
 * @param claimedCapacity how many events may wait that were claimed from the table
 * @param concurrency how many handlers of a type may run at the same time
 * @param lease how long claims last and how they are kept
 * @param timeouts how long handlers may run
 * @param retries what becomes of an event whose handler failed
 * @param typesWithSettings the types that have settings of their own
 * @param drains whether closing lets workers take what waits, before the rest is released
 */
public record WorkSettings(
    String library,
    String handlerName,
    int workers,
    int committedCapacity,
    int claimedCapacity,
    ToIntFunction<String> concurrency,
    LeaseTimes lease,
    HandlerTimeouts timeouts,
    Retries retries,
    Set<String> typesWithSettings,
    boolean drains) {

  /** The concurrency of types whose handlers complete later, unless another is set. */
  public static final int ASYNC_CONCURRENCY = 256;

  /** The largest number of workers. */
  public static final int MAX_WORKERS = 10_000;

  /** The largest number of events that are claimed in one statement. */
  public static final int MAX_BATCH = 100_000;

  /** The largest capacity of a queue, in events. */
  public static final int MAX_QUEUED = 10_000_000;

  /** Returns the types that are keys of any of the settings by type. */
  public static Set<String> types(List<Map<String, ?>> settingsByType) {
    Set<String> types = new HashSet<>();
    settingsByType.forEach(byType -> types.addAll(byType.keySet()));
    return Set.copyOf(types);
  }

  /** Adds the limits of types that are less than 1. */
  public static void checkConcurrency(Map<String, Integer> byType, Problems problems) {
    byType.forEach(
        (type, most) ->
            problems.require(most >= 1, "concurrency of '" + type + "'", "be 1 or more", most));
  }

  /** Returns whether a type has a limit. */
  boolean isLimited(String type) {
    return concurrency.applyAsInt(type) != Integer.MAX_VALUE;
  }
}
