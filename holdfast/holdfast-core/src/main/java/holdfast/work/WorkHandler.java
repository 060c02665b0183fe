package holdfast.work;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs the application's handlers. Must be safe for use by many threads.
 *
 * @param <T> what the library claims
 */
@FunctionalInterface
public interface WorkHandler<T extends WorkItem> {

  /**
   * Runs them.
   *
   * @param item the event
   * @return {@link Outcome#DONE}, an outcome without any handler, or {@link Outcome.Pending}
   * @throws Throwable what a handler threw
   */
  Outcome handle(T item) throws Throwable;

  /** Returns how many events of a type are handled in one call, at most. */
  default int batchSize(String type) {
    return 1;
  }

  /**
   * Runs them for several events of a type whose batch size is more than 1.
   *
   * @param items two or more
   * @return what has failed, and why; all others are done
   * @throws Throwable what a handler threw: then all have failed
   */
  default Map<T, Throwable> handleAll(List<T> items) throws Throwable {
    throw new UnsupportedOperationException("no type is handled in batches");
  }

  /**
   * Returns what {@link #handleAll} does, for failures by the ids of events.
   *
   * @throws IllegalStateException if an id is that of no event of the batch
   */
  static <T extends WorkItem> Map<T, Throwable> failuresOf(
      List<T> items, Map<?, ? extends Throwable> byId) {
    Map<T, Throwable> failures = new HashMap<>();
    for (T item : items) {
      Throwable failure = byId.get(item.id());
      if (failure != null) {
        failures.put(item, failure);
      }
    }
    if (failures.size() < byId.size()) {
      throw new IllegalStateException(
          "a batch handler must return failures by the ids of its events but returned "
              + byId.keySet());
    }
    return failures;
  }
}
