/**
 * Takes live answers to be kept and failures to be recovered. Says how a store is asked, and lets
 * an application see what was found. Hands back a stored answer with its age, or the reason why
 * there is none.
 */
@NullMarked
package failover.recovery;

import org.jspecify.annotations.NullMarked;
