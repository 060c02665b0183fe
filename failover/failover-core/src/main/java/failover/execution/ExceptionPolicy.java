package failover.execution;

import org.jspecify.annotations.Nullable;

/** What callers of failed calls get, by name. A policy of one's own is set as such. */
public enum ExceptionPolicy implements MethodExceptionPolicy {
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
   * The recovered answer, or null if there is none. Failures that the point is told not to recover
   * are thrown all the same, and so is one for which null cannot be given: a primitive.
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
