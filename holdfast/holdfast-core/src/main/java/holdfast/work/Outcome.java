package holdfast.work;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** How an attempt at an event ended. */
public sealed interface Outcome {
  /** Every handler returned. */
  Outcome DONE = new Done();

  /** Not run: another node, or this one later, takes it at once. */
  Outcome RELEASED = new Released(Duration.ZERO);

  /** Every handler returned. */
  record Done() implements Outcome {}

  /**
   * The handler has returned, and is done or has failed when the stage completes. Never recorded.
   *
   * @param stage completes later, or never
   */
  record Pending(CompletionStage<?> stage) implements Outcome {

    /** Checks that there is one. */
    public Pending {
      Objects.requireNonNull(
          stage,
          "an asynchronous listener or handler returned null; return a stage that completes when the"
              + " event is handled");
    }

    /**
     * Waits until the stage completes, where the caller cannot go on before.
     *
     * @throws Exception what it has failed with
     */
    public void await() throws Exception {
      try {
        stage.toCompletableFuture().get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof Exception cause) {
          throw cause;
        }
        throw e;
      }
    }
  }

  /**
   * A handler failed; the event is tried again after the delay.
   *
   * @param delay how long to wait
   * @param error the text that the table keeps
   * @param cause what the handler threw
   * @param counted whether it counts as a failed attempt; not if the handler chose the delay
   */
  record Retry(Duration delay, String error, Throwable cause, boolean counted) implements Outcome {}

  /**
   * Given up.
   *
   * @param error the text that the table keeps
   * @param cause what a handler threw; null where none did
   */
  record Dead(String error, @Nullable Throwable cause) implements Outcome {}

  /**
   * Not run to the end, and no failed attempt.
   *
   * @param delay how long nobody takes it
   */
  record Released(Duration delay) implements Outcome {}

  /**
   * This node has no handler for its type; no failed attempt.
   *
   * @param delay how long nobody takes it
   */
  record Unhandled(Duration delay) implements Outcome {}
}
