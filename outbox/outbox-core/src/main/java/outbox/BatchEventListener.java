package outbox;

import holdfast.work.WorkHandler;
import java.util.List;
import java.util.Map;

/**
 * Listener that takes several events of a type in one call: those that wait on the node at that
 * moment. Each has an outcome of its own. Where an event has other listeners too, it is taken
 * alone.
 */
@FunctionalInterface
@SuppressWarnings("FunctionalInterfaceMethodChanged") // called either way, it does the same
public interface BatchEventListener extends EventListener {
  /** How many events are taken in one call unless configured: {@value}. */
  int DEFAULT_MAX_BATCH_SIZE = 100;

  /**
   * Takes events. Those of one aggregate that were published as ordered never come in the same
   * call.
   *
   * @param events one or more, of one type
   * @return what failed, by event id, each as if {@link #onEvent} had thrown it; all others are
   *     delivered
   * @throws Exception if all of them failed
   */
  Map<String, Exception> onEvents(List<EventEnvelope> events) throws Exception;

  /** Returns how many events to take in one call at most, 1 or more. */
  default int maxBatchSize() {
    return DEFAULT_MAX_BATCH_SIZE;
  }

  /** Takes one event. */
  @Override
  default void onEvent(EventEnvelope event) throws Exception {
    Map<String, Exception> failures = onEvents(List.of(event));
    if (!WorkHandler.requireFailuresOf(List.of(event.eventId()), failures).isEmpty()) {
      throw failures.get(event.eventId());
    }
  }
}
