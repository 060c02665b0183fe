package failover.recovery;

import failover.FailoverCall;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Keeps answers and finds them again. Safe for use by many threads. */
public interface FailoverHandler {

  /**
   * Keeps a live answer. Never throws: the call has its answer, and does not wait.
   *
   * @param call the call that brought it
   * @param answer the answer; null takes the place of older ones, where the point wants it
   * @return whether the store took it; false also if there was nothing to keep
   */
  <T> boolean store(FailoverCall<T> call, @Nullable T answer);

  /**
   * Finds the stored answer for a call. Never throws.
   *
   * @param call the call
   * @param cause the failure it is needed for
   * @param now by which its age is judged
   */
  <T> Recovery<T> recover(FailoverCall<T> call, Throwable cause, Instant now);
}
