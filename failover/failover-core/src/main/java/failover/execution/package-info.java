/**
 * Takes a call and its source. Asks the source, within limits of time and not while it is known to
 * fail, and has the answer kept. Hands back the live answer; hands a failure that may be recovered
 * to {@link failover.recovery}.
 */
@NullMarked
package failover.execution;

import org.jspecify.annotations.NullMarked;
