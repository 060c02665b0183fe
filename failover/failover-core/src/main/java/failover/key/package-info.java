/**
 * Takes the arguments of a call. Writes them as bytes that are equal exactly when the arguments
 * are, whatever their types. Hands on a {@link failover.key.StoreKey} under which an answer is
 * kept.
 */
@NullMarked
package failover.key;

import org.jspecify.annotations.NullMarked;
