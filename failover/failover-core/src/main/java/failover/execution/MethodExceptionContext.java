package failover.execution;

import failover.FailoverCall;
import org.jspecify.annotations.Nullable;

/**
 * A call that failed, and what was found for it.
 *
 * @param call the call
 * @param recovered what would be given, or null if there is nothing
 * @param cause the failure
 * @param <T> what the call answers
 */
public record MethodExceptionContext<T>(
    FailoverCall<T> call, @Nullable T recovered, Throwable cause) {}
