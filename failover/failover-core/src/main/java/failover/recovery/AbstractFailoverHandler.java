package failover.recovery;

import failover.FailoverCall;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A handler that changes one step of another and leaves the rest to it: override {@link #store} or
 * {@link #recovered}. Safe for use by many threads if the other one is.
 */
public abstract class AbstractFailoverHandler implements FailoverHandler {
  private final FailoverHandler next;

  /** A handler before that one. */
  protected AbstractFailoverHandler(FailoverHandler next) {
    this.next = Objects.requireNonNull(next, "next");
  }

  @Override
  public <T> boolean store(FailoverCall<T> call, @Nullable T answer, Duration patience) {
    return next.store(call, answer, patience);
  }

  @Override
  public final <T> @Nullable Recovery<T> recoverAtOnce(
      FailoverCall<T> call, Throwable cause, Instant now) {
    Recovery<T> recovery = next.recoverAtOnce(call, cause, now);
    return recovery == null ? null : recovered(call, cause, recovery);
  }

  @Override
  public final <T> Recovery<T> recover(FailoverCall<T> call, Throwable cause, Instant now) {
    return recovered(call, cause, next.recover(call, cause, now));
  }

  /**
   * Sees what became of the attempt to recover a call, and may give something else. It may be asked
   * more than once for a call, and must not wait.
   *
   * @param call the call
   * @param cause the failure of its source
   * @param recovery what the other handler has found, or why it found nothing
   */
  protected <T> Recovery<T> recovered(FailoverCall<T> call, Throwable cause, Recovery<T> recovery) {
    return recovery;
  }
}
