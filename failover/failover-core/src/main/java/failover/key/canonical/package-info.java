/**
 * Takes the arguments of a call. Writes them as bytes that are equal exactly if the arguments are.
 * Hands back a key, or the reason why there can be none.
 */
@NullMarked
package failover.key.canonical;

import org.jspecify.annotations.NullMarked;
