package failover.execution;

import failover.FailoverResult;
import failover.Source;
import holdfast.time.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * How a source ended: with an answer, null included, or with a failure. Instead of an answer it may
 * give what another point has recovered, with its age.
 */
record Answer<T>(@Nullable T value, @Nullable Throwable failure, long nanos) {

  /** Asks the source, and measures how long it takes if there is a clock to measure by. */
  static <T> Answer<T> of(Source<T, ?> source, @Nullable TimeSource clock) {
    long began = clock == null ? 0 : clock.nanoTime();
    try {
      T value = source.get();
      return new Answer<>(value, null, since(began, clock));
    } catch (Throwable failure) { // reaches the caller as it is, errors too
      return new Answer<>(null, failure, since(began, clock));
    }
  }

  /** What another point has recovered; null if the answer is live, or there is none. */
  @SuppressWarnings("unchecked") // no answer is a result otherwise, and this one is of the point
  @Nullable FailoverResult<T> recoveredElsewhere() {
    return value instanceof FailoverResult<?> result && !result.upToDate()
        ? (FailoverResult<T>) result
        : null;
  }

  private static long since(long began, @Nullable TimeSource clock) {
    return clock == null ? 0 : clock.nanoTime() - began;
  }
}
