package outbox;

import holdfast.work.Outcome;
import java.util.concurrent.CompletionStage;

/**
 * Listener that does not wait for what it starts: sends to a broker, and hears later how that
 * ended. Its worker goes on with other events meanwhile. The event stays leased to the node, others
 * of its aggregate wait, and closing waits for it.
 *
 * <p>At most 256 events of a type are pending at the same time, or as many as its concurrency says.
 * A stage that exceeds {@code listenerTimeout} is cancelled if it is a {@link
 * java.util.concurrent.Future}; otherwise its end is awaited. Where an event has other listeners
 * too, its worker waits for the stage.
 */
@FunctionalInterface
@SuppressWarnings("FunctionalInterfaceMethodChanged") // called either way, it does the same
public interface AsyncEventListener extends EventListener {

  /**
   * Takes one event.
   *
   * @param event the event
   * @return completes when the event is delivered, or with the failure, which counts as if {@link
   *     #onEvent} had thrown it
   * @throws Exception as {@link #onEvent}
   */
  CompletionStage<?> onEventAsync(EventEnvelope event) throws Exception;

  /** Takes one event and waits for its stage. */
  @Override
  default void onEvent(EventEnvelope event) throws Exception {
    new Outcome.Pending(onEventAsync(event)).await();
  }
}
