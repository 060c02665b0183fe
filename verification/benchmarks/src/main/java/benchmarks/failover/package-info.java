/**
 * Failover beside what does something like it: a bare proxy, a cache that is put to on every call,
 * a circuit breaker with a fallback; and a stored answer beside a hit of a cache.
 *
 * <p>{@link benchmarks.failover.CallCost} and {@link benchmarks.failover.RecoveryCost} are
 * benchmarks for JMH.
 */
@NullMarked
package benchmarks.failover;

import org.jspecify.annotations.NullMarked;
