package eventbus;

import holdfast.work.WorkHandler;
import java.util.List;
import java.util.Map;

/**
 * Handler that takes several events of a type in one call: those that wait on the node at that
 * moment. Each has an outcome of its own. Where a type has other handlers too, events are taken
 * alone.
 */
@FunctionalInterface
@SuppressWarnings("FunctionalInterfaceMethodChanged") // called either way, it does the same
public interface BatchEventHandler extends EventHandler {
  /** How many events are taken in one call unless configured: {@value}. */
  int DEFAULT_MAX_BATCH_SIZE = 100;

  /**
   * Handles events.
   *
   * @param events one or more, of one type
   * @return what failed, by event id, each as if {@link #handle} had thrown it; all others are
   *     handled
   * @throws Exception if all of them failed
   */
  Map<Long, Exception> handleAll(List<Event> events) throws Exception;

  /** Returns how many events to take in one call at most, 1 or more. */
  default int maxBatchSize() {
    return DEFAULT_MAX_BATCH_SIZE;
  }

  /** Handles one event. */
  @Override
  default void handle(Event event) throws Exception {
    Map<Long, Exception> failures = handleAll(List.of(event));
    if (!WorkHandler.requireFailuresOf(List.of(event.id()), failures).isEmpty()) {
      throw failures.get(event.id());
    }
  }
}
