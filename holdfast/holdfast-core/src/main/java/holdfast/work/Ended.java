package holdfast.work;

import java.time.Duration;
import java.util.Optional;

/**
 * An outcome on its way to the table. Immutable.
 *
 * @param item the event
 * @param outcome how its attempt ended
 * @param nanos how long its handlers took
 * @param <T> what the library claims
 */
public record Ended<T extends WorkItem>(T item, Outcome outcome, long nanos) {

  /** Returns the outcome of an item that was not run. */
  static <T extends WorkItem> Ended<T> released(T item) {
    return new Ended<>(item, Outcome.RELEASED, 0);
  }

  /** Returns whether it is recorded at once: failures, and what other events wait for. */
  boolean isUrgent() {
    return !(outcome instanceof Outcome.Done) || item.isAwaited();
  }

  /** Returns how long until an event is due because of this one: itself, or one behind it. */
  Optional<Duration> dueIn() {
    if (outcome instanceof Outcome.Retry retry) {
      return Optional.of(retry.delay());
    }
    if (outcome instanceof Outcome.Released released) {
      return Optional.of(released.delay());
    }
    if (outcome instanceof Outcome.Unhandled unhandled) {
      return Optional.of(unhandled.delay());
    }
    return item.isAwaited() ? Optional.of(Duration.ZERO) : Optional.empty();
  }
}
