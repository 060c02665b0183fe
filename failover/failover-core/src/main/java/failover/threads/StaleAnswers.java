package failover.threads;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the source of a call was given that was not live, by protected calls of its own. Only the
 * oldest is kept. Safe for use by many threads.
 */
public final class StaleAnswers {
  private @Nullable StaleAnswer oldest; // guarded by this

  /**
   * An answer that is not live.
   *
   * @param asOf what moment it is of
   * @param failure why it is not live, if that is known
   */
  public record StaleAnswer(Instant asOf, @Nullable Throwable failure) {}

  StaleAnswers() {}

  /** Notes an answer. */
  public synchronized void add(Instant asOf, @Nullable Throwable failure) {
    if (oldest == null || asOf.isBefore(oldest.asOf())) {
      oldest = new StaleAnswer(asOf, failure);
    }
  }

  /** The oldest of them; null if all that the source was given was live. */
  public synchronized @Nullable StaleAnswer oldest() {
    return oldest;
  }
}
