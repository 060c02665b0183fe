package failover.recovery;

import failover.FailureReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What became of the attempt to recover a call.
 *
 * @param <T> what the call answers
 */
public sealed interface Recovery<T> {

  /**
   * A stored answer.
   *
   * @param value the answer
   * @param asOf what moment it is of
   * @param <T> what the call answers
   */
  record Found<T>(T value, Instant asOf) implements Recovery<T> {}

  /**
   * No stored answer.
   *
   * @param reason why
   * @param trouble what the store or codec threw, or null
   * @param <T> what the call answers
   */
  record Missing<T>(FailureReason reason, @Nullable Throwable trouble) implements Recovery<T> {}
}
