/**
 * Takes live answers to be kept and failures to be recovered. Encodes, stores, finds, judges by
 * age, decodes and labels answers. Hands back a stored answer with its age, or the reason why there
 * is none.
 */
@NullMarked
package failover.recovery;

import org.jspecify.annotations.NullMarked;
