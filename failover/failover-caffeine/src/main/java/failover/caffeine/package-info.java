/**
 * Takes answers to be kept in the memory of this process, where many threads want them. Keeps those
 * most worth it, as Caffeine judges, until they expire. Hands them back without a lock.
 */
@NullMarked
package failover.caffeine;

import org.jspecify.annotations.NullMarked;
