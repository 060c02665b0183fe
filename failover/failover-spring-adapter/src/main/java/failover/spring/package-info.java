/**
 * Takes beans whose methods are annotated with {@link failover.Failover}. Puts advice around them,
 * outside of all other advice, and checks every annotation at the start. Hands annotated calls to
 * {@link failover.Failovers}.
 */
@NullMarked
package failover.spring;

import org.jspecify.annotations.NullMarked;
