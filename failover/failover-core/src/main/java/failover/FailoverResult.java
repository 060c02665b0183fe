package failover;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
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
 * @param slices what was looked for, in the order of the request, where a stored answer was merged
 *     of slices by their keys; empty otherwise. The answer is as old as the oldest of them
 * @param <T> what the answer is
 */
public record FailoverResult<T>(
    @Nullable T value,
    boolean upToDate,
    Instant asOf,
    @Nullable Throwable failure,
    List<Slice> slices) {

  /** Copies the slices. */
  public FailoverResult {
    slices = List.copyOf(slices);
  }

  /** An answer without slices. */
  public FailoverResult(
      @Nullable T value, boolean upToDate, Instant asOf, @Nullable Throwable failure) {
    this(value, upToDate, asOf, failure, List.of());
  }

  /** How fresh a slice of an answer is. */
  public enum Freshness {
    /** The source has just answered. */
    LIVE,
    /** It is a stored one. */
    STALE,
    /** It was not found, and is not part of the answer. */
    MISSING
  }

  /**
   * A slice that was looked for. Immutable, as far as its arguments are.
   *
   * @param args the arguments that make its key, usually its id alone
   * @param asOf what moment it is of, or null if it was not found
   */
  public record Slice(List<? extends @Nullable Object> args, @Nullable Instant asOf) {

    /** Stale or missing. */
    public Freshness freshness() {
      return asOf == null ? Freshness.MISSING : Freshness.STALE;
    }
  }

  /** A live answer. */
  public static <T> FailoverResult<T> live(@Nullable T value, Instant asOf) {
    return new FailoverResult<>(value, true, asOf, null);
  }

  /** A stored answer, and the failure it is given for. */
  public static <T> FailoverResult<T> recovered(
      @Nullable T value, Instant asOf, Throwable failure) {
    return new FailoverResult<>(value, false, asOf, failure);
  }

  /**
   * How fresh the slice with that key is: live in a live answer, stale or missing in one that was
   * merged of slices, and as the whole in others.
   *
   * @param keyArgs the arguments that make its key, usually its id alone
   */
  public Freshness freshnessOf(@Nullable Object... keyArgs) {
    if (upToDate || slices.isEmpty()) {
      return upToDate ? Freshness.LIVE : Freshness.STALE;
    }
    List<@Nullable Object> wanted = Arrays.asList(keyArgs);
    return slices.stream()
        .filter(slice -> slice.args().equals(wanted))
        .findFirst()
        .map(Slice::freshness)
        .orElse(Freshness.MISSING);
  }

  /** Why the answer is not live; empty if it is. */
  public Optional<Throwable> cause() {
    return Optional.ofNullable(failure);
  }
}
