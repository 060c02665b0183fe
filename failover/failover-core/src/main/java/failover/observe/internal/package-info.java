/**
 * Takes what happens at points. Counts it, writes log lines once per change of state, and calls
 * listeners and publishers. Hands back figures.
 */
@NullMarked
package failover.observe.internal;

import org.jspecify.annotations.NullMarked;
