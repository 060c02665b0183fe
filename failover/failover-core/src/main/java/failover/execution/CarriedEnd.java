package failover.execution;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is done when a stage ends, on a thread of the application and with the context of the
 * caller. It is done once, also where what carries the context fails. For use by its two threads,
 * one after the other.
 */
final class CarriedEnd<T> {
  private final Consumer<Answer<T>> end;
  private final Runnable carried;
  private @Nullable Answer<T> answer; // of the thread on which the stage ends, as is the next
  private boolean isDone;

  /** Takes the context of the current thread. */
  CarriedEnd(ContextPropagator context, Consumer<Answer<T>> end) {
    this.end = end;
    this.carried = context.wrap(this::finish);
  }

  /** The stage has ended. */
  void with(Answer<T> given) {
    answer = given;
    try {
      carried.run();
    } catch (RuntimeException | Error e) {
      if (isDone) {
        throw e;
      }
      finish(); // without its context
    }
  }

  private void finish() {
    Answer<T> given = answer;
    if (given != null) {
      isDone = true;
      end.accept(given);
    }
  }
}
