/**
 * Takes what an application wants to know of calls, stores and recoveries. Says what listeners and
 * publishers are told. Hands on counts and events.
 */
@NullMarked
package failover.observe;

import org.jspecify.annotations.NullMarked;
