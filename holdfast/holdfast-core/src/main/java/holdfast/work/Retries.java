package holdfast.work;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an event whose handler failed. Immutable.
 *
 * @param delays how long to wait after a failure
 * @param retryFor how long an event may fail, counted from its first failed attempt; null for no
 *     limit
 */
public record Retries(Delays delays, @Nullable Duration retryFor) {

  /** Decides whether and when a failed event is tried again. */
  @FunctionalInterface
  public interface Delays {

    /**
     * Returns how long to wait; empty to give the event up.
     *
     * @param item the event
     * @param failures how many attempts have failed, this one included
     * @param failure what the handler threw
     */
    Optional<Duration> after(WorkItem item, int failures, Throwable failure);
  }
}
