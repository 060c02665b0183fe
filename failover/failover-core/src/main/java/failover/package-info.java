/**
 * Takes calls to sources that may fail. Keeps the last good answer of each and, when the source
 * fails, gives it with its age instead of the failure. Hands the caller a live answer, a recovered
 * one, or the very failure; {@link failover.Failovers} is the entry point.
 */
@NullMarked
package failover;

import org.jspecify.annotations.NullMarked;
