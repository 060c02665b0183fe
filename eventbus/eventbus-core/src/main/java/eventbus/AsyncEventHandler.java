package eventbus;

import holdfast.work.Outcome;
import java.util.concurrent.CompletionStage;

/**
 * Handler that does not wait for what it starts, and hears later how that ended. Its worker goes on
 * with other events meanwhile; the event stays claimed, and closing waits for it.
 *
 * <p>At most 256 events of a type are pending at the same time, or as many as its concurrency says.
 * A stage that exceeds {@code handlerTimeout} is cancelled if it is a {@link
 * java.util.concurrent.Future}; otherwise its end is awaited. Where a type has other handlers too,
 * its worker waits for the stage.
 */
@FunctionalInterface
@SuppressWarnings("FunctionalInterfaceMethodChanged") // called either way, it does the same
public interface AsyncEventHandler extends EventHandler {

  /**
   * Handles an event.
   *
   * @param event the event, with its id
   * @return completes when the event is handled, or with the failure, which counts as if {@link
   *     #handle} had thrown it
   * @throws Exception as {@link #handle}
   */
  CompletionStage<?> handleAsync(Event event) throws Exception;

  /** Handles an event and waits for its stage. */
  @Override
  default void handle(Event event) throws Exception {
    new Outcome.Pending(handleAsync(event)).await();
  }
}
