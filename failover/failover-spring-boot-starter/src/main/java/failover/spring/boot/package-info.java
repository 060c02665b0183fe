/**
 * Takes the settings {@code failover.*} and the beans of an application. Puts the store, {@link
 * failover.Failovers} and the advice together, and binds meters, health and an endpoint to them.
 * Hands annotated calls to {@link failover.spring}.
 */
@NullMarked
package failover.spring.boot;

import org.jspecify.annotations.NullMarked;
