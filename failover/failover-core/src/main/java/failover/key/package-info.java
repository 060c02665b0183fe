/**
 * Takes what a {@link failover.key.KeyGenerator} says of the arguments of a call. Stands for them
 * as bytes and as 36 characters. Hands on a {@link failover.key.StoreKey} under which an answer is
 * kept.
 */
@NullMarked
package failover.key;

import org.jspecify.annotations.NullMarked;
