package failover;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An answer and how fresh it is. Immutable, as far as the answer is.
 *
 * <p>A method may return this instead of its answer, made by {@link #live}: then its callers learn
 * the age of answers that can carry none themselves.
 *
 * @param value the answer
 * @param upToDate whether it is live
 * @param asOf when the call that brought it began
 * @param failure why it is not live, or null if it is
 * @param <T> what the answer is
 */
public record FailoverResult<T>(
    @Nullable T value, boolean upToDate, Instant asOf, @Nullable Throwable failure) {

  /** A live answer. */
  public static <T> FailoverResult<T> live(@Nullable T value, Instant asOf) {
    return new FailoverResult<>(value, true, asOf, null);
  }

  /** A stored answer, and the failure it is given for. */
  public static <T> FailoverResult<T> recovered(
      @Nullable T value, Instant asOf, Throwable failure) {
    return new FailoverResult<>(value, false, asOf, failure);
  }

  /** Why the answer is not live; empty if it is. */
  public Optional<Throwable> cause() {
    return Optional.ofNullable(failure);
  }
}
