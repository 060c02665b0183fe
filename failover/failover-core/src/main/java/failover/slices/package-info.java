/**
 * Takes answers that hold many entities. Has the application split them into slices, each kept
 * under a key of its own, and merge the slices that are found. Hands slices to {@link
 * failover.recovery}, and whole answers back.
 */
@NullMarked
package failover.slices;

import org.jspecify.annotations.NullMarked;
