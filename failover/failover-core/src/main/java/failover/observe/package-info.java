/**
 * Takes note of how calls, stores and recoveries end. Counts them for each point, within a bound on
 * the number of points, and tells what changed once. Hands on counts, and events to publishers.
 */
@NullMarked
package failover.observe;

import org.jspecify.annotations.NullMarked;
