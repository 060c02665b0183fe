package failover.execution;

import failover.FailoverCall;
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

  /**
   * A call that failed, and what was found for it.
   *
   * @param call the call
   * @param recovered what would be given, or null if there is nothing
   * @param cause the failure
   * @param <T> what the call answers
   */
  record MethodExceptionContext<T>(FailoverCall<T> call, @Nullable T recovered, Throwable cause) {}

  /** What callers of failed calls get, by name. A policy of one's own is set as such. */
  enum ExceptionPolicy implements MethodExceptionPolicy {
    /** The recovered answer, or the failure if there is none. */
    RETHROW {
      @Override
      public <T> @Nullable T handle(MethodExceptionContext<T> context) throws Throwable {
        T recovered = context.recovered();
        if (recovered == null) {
          throw context.cause();
        }
        return recovered;
      }
    },
    /**
     * The recovered answer, or null if there is none. Failures that the point is told not to
     * recover are thrown all the same, and so is one for which null cannot be given: a primitive.
     */
    NEVER_THROW {
      @Override
      public <T> @Nullable T handle(MethodExceptionContext<T> context) throws Throwable {
        return context.call().spec().type() instanceof Class<?> type && type.isPrimitive()
            ? RETHROW.handle(context)
            : context.recovered();
      }
    }
  }
}
