/**
 * Takes methods and types. Finds their annotations, also those carried by others, and reads the
 * times in them. Hands back one annotation for each point.
 */
@NullMarked
package failover.proxy.annotations;

import org.jspecify.annotations.NullMarked;
