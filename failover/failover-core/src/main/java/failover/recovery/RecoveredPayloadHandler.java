package failover.recovery;

import failover.FailoverCall;
import org.jspecify.annotations.Nullable;

/**
 * Sees every answer of a failed call before its caller does, and may give another: an empty list in
 * the place of nothing, say. Safe for use by many threads.
 */
@FunctionalInterface
public interface RecoveredPayloadHandler {
  /** Gives what was recovered. */
  RecoveredPayloadHandler PASS_THROUGH =
      new RecoveredPayloadHandler() {
        @Override
        public <T> @Nullable T handle(
            FailoverCall<T> call, @Nullable T recovered, Throwable cause) {
          return recovered;
        }
      };

  /**
   * What the caller is to get; null for nothing. If it throws, what was recovered is given.
   *
   * @param call the call
   * @param recovered the stored answer, or null if there was none
   * @param cause the failure of the source
   */
  <T> @Nullable T handle(FailoverCall<T> call, @Nullable T recovered, Throwable cause);
}
