/**
 * Takes calls and the circuit breakers of Resilience4j, which an application brings along. Asks the
 * breaker of a point before its source, and tells it how the source ended. Hands everything else to
 * {@link failover.execution}.
 */
@NullMarked
package failover.resilience;

import org.jspecify.annotations.NullMarked;
