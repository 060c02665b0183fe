/**
 * Takes the tenant of a call from the thread that makes it. Keeps the answers of each tenant apart,
 * in a store of its own where it has one. Hands them back to calls of that tenant alone.
 */
@NullMarked
package failover.tenant;

import org.jspecify.annotations.NullMarked;
