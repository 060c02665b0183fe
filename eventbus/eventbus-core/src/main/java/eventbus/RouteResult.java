package eventbus;

import java.util.List;
import java.util.Set;

/**
 * How the handlers of one event ended. Immutable.
 *
 * @param done the ids of all handlers that are done with it, now or before
 * @param failures what the others threw, in the order they ran
 */
public record RouteResult(Set<String> done, List<Throwable> failures) {

  /** Copies both. */
  public RouteResult {
    done = Set.copyOf(done);
    failures = List.copyOf(failures);
  }

  /** Whether every handler is done. */
  public boolean isSuccess() {
    return failures.isEmpty();
  }

  /**
   * The first failure, with the others suppressed in it.
   *
   * @throws IllegalStateException if there is none
   */
  public Throwable failure() {
    if (failures.isEmpty()) {
      throw new IllegalStateException("every handler is done");
    }
    Throwable first = failures.get(0);
    for (Throwable other : failures) {
      if (!other.equals(first)) {
        first.addSuppressed(other);
      }
    }
    return first;
  }
}
