package failover.recovery;

import failover.FailoverCall;
import failover.FailoverOutcome.FailureReason;
import failover.FailoverResult.Slice;
import failover.FailoverSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps answers and finds them again. Must be safe for use by many threads. What one of the
 * application throws is logged and costs no caller the answer or the failure of its source. To
 * change one step of the library's own, extend {@link AbstractFailoverHandler}.
 */
public interface FailoverHandler {

  /**
   * The handler for the calls of a point: a shorter way, taken once for each point, so that calls
   * need not be told apart. It does what this one does for those calls; this one unless it says
   * otherwise.
   */
  default FailoverHandler forPoint(FailoverSpec<?> spec) {
    return this;
  }

  /**
   * Keeps a live answer. Never throws: the call has its answer.
   *
   * @param call the call that brought it
   * @param answer the answer; null takes the place of older ones, where the point wants it
   * @param patience how long the caller waits for a store that is written at once
   * @return whether the store took it within that time; false also if there was nothing to keep
   */
  <T> boolean store(FailoverCall<T> call, @Nullable T answer, Duration patience);

  /**
   * Finds the stored answer for a call, if that takes no waiting: neither for another process nor
   * for a disk. Never throws.
   *
   * @param call the call
   * @param cause the failure it is needed for
   * @param now by which its age is judged
   * @return null if it takes {@link #recover}, which may wait
   */
  default <T> @Nullable Recovery<T> recoverAtOnce(
      FailoverCall<T> call, Throwable cause, Instant now) {
    return null;
  }

  /**
   * Finds the stored answer for a call. Never throws.
   *
   * @param call the call
   * @param cause the failure it is needed for
   * @param now by which its age is judged
   */
  <T> Recovery<T> recover(FailoverCall<T> call, Throwable cause, Instant now);

  /**
   * What became of the attempt to recover a call.
   *
   * @param <T> what the call answers
   */
  sealed interface Recovery<T> {

    /**
     * A stored answer.
     *
     * @param value the answer
     * @param asOf what moment it is of
     * @param parts how much of it was found
     * @param <T> what the call answers
     */
    record Found<T>(T value, Instant asOf, Parts parts) implements Recovery<T> {

      /** An answer that is kept as a whole. */
      public Found(T value, Instant asOf) {
        this(value, asOf, Parts.WHOLE);
      }
    }

    /**
     * How much of an answer was found. Immutable.
     *
     * @param missing how many slices were not found
     * @param total how many there are; zero for an answer that is kept as a whole
     * @param slices those that were looked for by their keys, in the order of the request
     */
    record Parts(int missing, int total, List<Slice> slices) {
      /** An answer that is kept as a whole. */
      public static final Parts WHOLE = new Parts(0, 0, List.of());

      /** Copies the slices. */
      public Parts {
        slices = List.copyOf(slices);
      }
    }

    /**
     * No stored answer.
     *
     * @param reason why
     * @param trouble what the store or codec threw, or null
     * @param <T> what the call answers
     */
    record Missing<T>(FailureReason reason, @Nullable Throwable trouble) implements Recovery<T> {}
  }
}
