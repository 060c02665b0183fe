package failover.execution;

import failover.FailoverOutcome.Kind;
import failover.FailoverResult;
import failover.FailureReason;
import org.jspecify.annotations.Nullable;

/**
 * How a call ended. Either there is a result, or something to throw.
 *
 * @param kind how it is counted
 * @param result what the caller gets, or null if something is thrown
 * @param thrown what is thrown, or null
 * @param reason why it failed, or null if it did not
 * @param <T> what the call answers
 */
public record Ended<T>(
    Kind kind,
    @Nullable FailoverResult<T> result,
    @Nullable Throwable thrown,
    @Nullable FailureReason reason) {

  /** With a live answer. */
  public static <T> Ended<T> live(FailoverResult<T> result) {
    return new Ended<>(Kind.LIVE, result, null, null);
  }

  /** With a stored answer. */
  public static <T> Ended<T> recovered(FailoverResult<T> result) {
    return new Ended<>(Kind.RECOVERED, result, null, null);
  }

  /** Without either, but with something else to give. */
  public static <T> Ended<T> substituted(FailoverResult<T> result, FailureReason reason) {
    return new Ended<>(Kind.FAILED, result, null, reason);
  }

  /** With a failure. */
  public static <T> Ended<T> failed(Throwable thrown, FailureReason reason) {
    return new Ended<>(Kind.FAILED, null, thrown, reason);
  }
}
