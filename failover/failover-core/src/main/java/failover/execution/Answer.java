package failover.execution;

import failover.Source;
import org.jspecify.annotations.Nullable;

/** How a source ended: with an answer, null included, or with a failure. */
record Answer<T>(@Nullable T value, @Nullable Throwable failure) {

  /** Asks the source. */
  static <T> Answer<T> of(Source<T, ?> source) {
    try {
      return new Answer<>(source.get(), null);
    } catch (Throwable failure) { // reaches the caller as it is, errors too
      return new Answer<>(null, failure);
    }
  }
}
