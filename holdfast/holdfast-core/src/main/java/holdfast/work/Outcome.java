package holdfast.work;

import java.time.Duration;
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
   * A handler failed; the event is tried again after the delay.
   *
   * @param delay how long to wait
   * @param error the text that the table keeps
   * @param cause what the handler threw
   */
  record Retry(Duration delay, String error, Throwable cause) implements Outcome {}

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
