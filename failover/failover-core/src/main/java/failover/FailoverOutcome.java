package failover;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How the last protected call on a thread ended, for callers that can change neither the method nor
 * its answer. Immutable.
 *
 * @param name the point
 * @param kind how it ended
 * @param asOf what moment the answer is of; for a failed call, when it began
 * @param failure the failure of the source, or null for a live answer
 */
public record FailoverOutcome(String name, Kind kind, Instant asOf, @Nullable Throwable failure) {
  private static final ThreadLocal<@Nullable FailoverOutcome> LAST = new ThreadLocal<>();

  /** How a call ends; each call ends in exactly one way. */
  public enum Kind {
    /** The source answered. */
    LIVE,
    /** The source failed or was slow, and a stored answer was given. */
    RECOVERED,
    /** The source failed, and there was nothing to give. */
    FAILED
  }

  /** The outcome of the last call that ended on this thread; empty if there was none. */
  public static Optional<FailoverOutcome> last() {
    return Optional.ofNullable(LAST.get());
  }

  /** Forgets the last outcome of this thread, as before work for somebody else. */
  public static void clear() {
    LAST.remove();
  }

  static void note(FailoverOutcome outcome) {
    LAST.set(outcome);
  }
}
