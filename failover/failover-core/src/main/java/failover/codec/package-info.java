/**
 * Takes answers and the full type they are declared with. Turns them into bytes and back into
 * values of that type, without ever loading a class by a name that was stored. Hands on bytes, or
 * says at the start that a type cannot be kept.
 */
@NullMarked
package failover.codec;

import org.jspecify.annotations.NullMarked;
