package failover;

import org.jspecify.annotations.Nullable;

/**
 * The call that may fail.
 *
 * @param <T> what it answers
 * @param <X> what it throws
 */
@FunctionalInterface
public interface Source<T, X extends Throwable> {

  /** Makes the call. */
  @Nullable T get() throws X;
}
