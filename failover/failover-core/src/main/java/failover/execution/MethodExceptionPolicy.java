package failover.execution;

import org.jspecify.annotations.Nullable;

/** Decides what the caller of a failed call gets. Safe for use by many threads. */
@FunctionalInterface
public interface MethodExceptionPolicy {

  /**
   * What the caller gets.
   *
   * @throws Throwable what the caller gets instead; usually the cause
   */
  <T> @Nullable T handle(MethodExceptionContext<T> context) throws Throwable;
}
