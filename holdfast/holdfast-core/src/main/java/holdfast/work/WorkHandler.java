package holdfast.work;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

  /** Returns whether a type has a handler, as far as this knows. */
  default boolean handles(String type) {
    return true;
  }

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
   * @throws IllegalStateException as {@link #requireFailuresOf} does
   */
  static <T extends WorkItem> Map<T, Throwable> failuresOf(
      List<T> items, @Nullable Map<?, ? extends @Nullable Throwable> returned) {
    Map<?, ? extends @Nullable Throwable> byId =
        requireFailuresOf(items.stream().map(WorkItem::id).toList(), returned);
    Map<T, Throwable> failures = new HashMap<>();
    for (T item : items) {
      Throwable failure = byId.get(item.id());
      if (failure != null) {
        failures.put(item, failure);
      }
    }
    return failures;
  }

  /**
   * Returns what a batch of events has returned, if each failure is that of one of them: any other
   * would be taken for a success.
   *
   * @param ids the ids of the events
   * @param byId the failures by the ids of events
   * @throws IllegalStateException if it is null, or has another id, or null as a failure
   */
  static <F extends @Nullable Throwable> Map<?, F> requireFailuresOf(
      List<?> ids, @Nullable Map<?, F> byId) {
    if (byId == null) {
      throw new IllegalStateException(
          "a batch must return its failures by event id but returned null; return an empty map if"
              + " nothing failed");
    }
    byId.forEach(
        (id, failure) -> {
          if (!ids.contains(id)) {
            throw new IllegalStateException(
                "a batch must return its failures by event id but returned one for '"
                    + id
                    + "', which is none of its events; use the id of the event");
          }
          if (failure == null) {
            throw new IllegalStateException(
                "a batch must return its failures by event id but returned null for '"
                    + id
                    + "'; leave out what has not failed");
          }
        });
    return byId;
  }
}
