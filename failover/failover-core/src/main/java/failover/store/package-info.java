/**
 * Takes live answers, encoded, with the moment they are of. Keeps the newest of each key, within
 * bounds, in memory, behind a queue, or near and far. Hands them back when the source fails.
 */
@NullMarked
package failover.store;

import org.jspecify.annotations.NullMarked;
