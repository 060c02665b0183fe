package failover.execution;

import failover.FailoverResult;
import failover.Source;
import failover.recovery.internal.FreshnessLabels;
import failover.threads.InnerCalls;
import failover.threads.StaleAnswers;
import failover.threads.StaleAnswers.StaleAnswer;
import holdfast.time.TimeSource;
import org.jspecify.annotations.Nullable;

/**
 * How a source ended: with an answer, null included, or with a failure. Instead of an answer it may
 * give what another point has recovered, with its age.
 *
 * @param inner what the source was given that was not live; null if there was nothing to note
 */
record Answer<T>(
    @Nullable T value, @Nullable Throwable failure, long nanos, @Nullable StaleAnswers inner) {

  /** A failure. */
  static <T> Answer<T> failed(Throwable failure, long nanos) {
    return new Answer<>(null, failure, nanos, null);
  }

  /** Asks the source, and measures how long it takes if there is a clock to measure by. */
  static <T> Answer<T> of(Source<T, ?> source, @Nullable TimeSource clock) {
    InnerCalls calls = InnerCalls.ofThread();
    StaleAnswers around = calls.begin();
    long began = clock == null ? 0 : clock.nanoTime();
    T value = null;
    Throwable failure = null;
    try {
      value = source.get();
    } catch (Throwable thrown) { // reaches the caller as it is, errors too
      failure = thrown;
    }
    long nanos = clock == null ? 0 : clock.nanoTime() - began;
    return new Answer<>(value, failure, nanos, calls.end(around));
  }

  /**
   * What another point has recovered, or what the source has made of that, which is as old as the
   * oldest of it and is told so; null if the answer is live, or there is none.
   */
  @SuppressWarnings("unchecked") // no answer is a result otherwise, and this one is of the point
  @Nullable FailoverResult<T> recoveredElsewhere() {
    if (value instanceof FailoverResult<?> result && !result.upToDate()) {
      return (FailoverResult<T>) result;
    }
    StaleAnswer oldest = inner == null ? null : inner.oldest();
    if (oldest == null) {
      return null;
    }
    FreshnessLabels.recovered(value, oldest.asOf(), oldest.failure());
    return new FailoverResult<>(value, false, oldest.asOf(), oldest.failure());
  }
}
