/**
 * Takes answers to be kept and failures to be recovered. Encodes, writes, reads and decodes
 * answers, and tells them their age. Hands back a stored answer, or the reason why there is none.
 */
@NullMarked
package failover.recovery.internal;

import org.jspecify.annotations.NullMarked;
